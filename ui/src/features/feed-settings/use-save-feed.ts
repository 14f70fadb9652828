import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, body, type Schema } from '@/shared/api/client';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';

type Subscription = Schema<'SubscriptionView'>;
export type FeedChange = {
  title: string;
  address: string;
  interval: number;
  resolveFolder: () => Promise<string | null>;
};

/** Saves what was changed about a subscription. Another address comes first: it is what can fail, and it makes another feed. */
export function useSaveFeed(subscription: Subscription, onSaved: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (change: FeedChange) => {
      const folder_id = await change.resolveFolder();
      const moved = await move(subscription, change.address.trim());
      const id = moved?.subscription_id ?? subscription.id;
      const settings = { title: change.title.trim() || null, folder_id, fetch_interval_minutes: change.interval };
      await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path: { id } }, body: settings }));
      return moved;
    },
    onSuccess: (moved) => {
      onSaved();
      if (moved) void navigate({ to: '/feeds/$feedId', params: { feedId: moved.id } });
    },
    onSettled: () =>
      Promise.all([subscriptionKeys.all, folderKeys.all].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

async function move(subscription: Subscription, address: string): Promise<Schema<'FeedView'> | null> {
  if (address === subscription.feed_url) return null;
  const path = { id: subscription.feed_id };
  return body(api.PATCH('/api/feeds/{id}', { params: { path }, body: { feed_url: address } }));
}
