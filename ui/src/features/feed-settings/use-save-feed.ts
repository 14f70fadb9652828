import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';
import { useSubmit } from '@/shared/ui/use-submit';

type Subscription = Schema<'SubscriptionView'>;
type FeedChange = {
  title: string;
  address: string;
  interval: number;
  resolveFolder: () => Promise<string | null>;
};

/** Saves the settings of a subscription. A new address comes first: it can fail, and it leads to another feed. */
export function useSaveFeed(subscription: Subscription, change: FeedChange, onSaved: () => void) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  return useSubmit({
    request: async () => {
      const folder_id = await change.resolveFolder();
      const moved = await move(subscription, change.address.trim());
      const id = moved?.subscription_id ?? subscription.id;
      const settings = { title: change.title.trim() || null, folder_id, fetch_interval_minutes: change.interval };
      await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path: { id } }, body: settings }));
      return moved;
    },
    changes: [subscriptionKeys.all, folderKeys.all],
    message: t('feed.saved'),
    onDone: (moved) => {
      onSaved();
      if (moved) void navigate({ to: '/feeds/$feedId', params: { feedId: moved.id } });
    },
    fields: ['title', 'feed_url'],
  });
}

async function move(subscription: Subscription, address: string): Promise<Schema<'FeedView'> | null> {
  if (address === subscription.feed_url) return null;
  const path = { id: subscription.feed_id };
  return body(api.PATCH('/api/feeds/{id}', { params: { path }, body: { feed_url: address } }));
}
