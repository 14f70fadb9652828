import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../i18n/problem-text';
import { toast } from '../ui/toast-store';
import { api, body, type Schema } from './client';
import { Problem } from './problem';
import { subscriptionKeys } from './subscriptions';

/** Has a feed fetched again that was stopped because it failed too often. */
export function useResume() {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => body(api.POST('/api/subscriptions/{id}/resume', { params: { path: { id } } })),
    onSuccess: (resumed) => {
      client.setQueryData<Schema<'SubscriptionView'>[]>(subscriptionKeys.all, (all) =>
        all?.map((one) => (one.id === resumed.id ? resumed : one)),
      );
      toast({ message: t('sidebar.resumed') });
    },
    onError: (error) =>
      toast({ message: error instanceof Problem ? problemText(error).message : t('sidebar.notChanged'), tone: 'bad' }),
  });
}
