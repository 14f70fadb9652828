import { useTranslation } from 'react-i18next';
import { api, body } from './client';
import { useAction } from './use-action';

/** Fetches a feed again that was stopped after too many failures. */
export function useResume() {
  const { t } = useTranslation('reading');
  return useAction({
    request: (id: string) => body(api.POST('/api/subscriptions/{id}/resume', { params: { path: { id } } })),
    done: t('sidebar.resumed'),
  });
}
