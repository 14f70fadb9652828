import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { useCallback } from 'react';
import '../i18n/reader-words';
import { toast } from '../ui/toast-store';
import { api, done, type Schema } from './client';
import { itemKeys } from './items';
import { leaving } from './leaving';
import { folderKeys, subscriptionKeys } from './subscriptions';

type Subscription = Schema<'SubscriptionView'>;

/** Ends a subscription: here at once, on the server when it can no longer be taken back. */
export function useUnsubscribe(): (subscription: Subscription) => void {
  const client = useQueryClient();
  return useCallback((subscription) => unsubscribe(client, subscription), [client]);
}

function unsubscribe(client: QueryClient, subscription: Subscription): void {
  const { id, feed_title: title } = subscription;
  const bringBack = () => {
    leaving.delete(id);
    return client.invalidateQueries({ queryKey: subscriptionKeys.all });
  };
  leaving.add(id);
  client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all?.filter((one) => one.id !== id));
  toast({
    message: t('reader:feed.unsubscribed', { title }),
    undo: () => {
      client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all && sorted([...all, subscription]));
      void bringBack();
    },
    settle: async () => {
      try {
        // The page may be closing; the browser then sends it all the same.
        await done(api.DELETE('/api/subscriptions/{id}', { params: { path: { id } }, keepalive: true }));
        for (const queryKey of [itemKeys.all, folderKeys.all]) void client.invalidateQueries({ queryKey });
      } catch {
        await bringBack();
        toast({ message: t('reader:feed.notUnsubscribed', { title }), tone: 'bad' });
      }
    },
  });
}

const sorted = (all: Subscription[]) => all.sort((a, b) => a.feed_title.localeCompare(b.feed_title));
