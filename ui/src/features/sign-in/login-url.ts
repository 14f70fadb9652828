import { apiUrl, type Schema } from '@/shared/api/client';

/** Where a provider's button leads: through the provider and back to the page one wanted. */
export function loginUrl(provider: Schema<'ProviderView'>, returnTo: string): string {
  return apiUrl(`${provider.login_url}?${new URLSearchParams({ return_to: returnTo })}`);
}
