import { useTranslation } from 'react-i18next';
import { api, body, done } from './client';
import { useAction } from './use-action';

/** Fetches a feed now. */
export const refreshFeed = (id: string): Promise<void> =>
  done(api.POST('/api/feeds/{id}/refresh', { params: { path: { id } } }));

/** Takes up a feed again that was stopped after too many failures. */
export const resumeFeed = (id: string) =>
  body(api.POST('/api/subscriptions/{id}/resume', { params: { path: { id } } }));

export function useResume() {
  const { t } = useTranslation('reading');
  return useAction({ request: resumeFeed, done: t('sidebar.resumed') });
}
