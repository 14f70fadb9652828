import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { expireTexts } from '@/shared/api/items';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';
import { useSubmit } from '@/shared/ui/use-submit';

type Subscription = Schema<'SubscriptionView'>;
type FeedChange = {
  title: string;
  address: string;
  interval: number;
  fullText: Subscription['full_text'];
  resolveFolder: () => Promise<string | null>;
};

/** Saves the settings of a subscription. A new address comes first: it can fail, and it leads to another feed. */
export function useSaveFeed(subscription: Subscription, change: FeedChange, onSaved: () => void) {
  const { t } = useTranslation('reader');
  const client = useQueryClient();
  const navigate = useNavigate();
  return useSubmit({
    request: async () => {
      const folder_id = await change.resolveFolder();
      const moved = await move(subscription, change.address.trim());
      const id = moved?.subscription_id ?? subscription.id;
      const settings = {
        title: change.title.trim() || null,
        folder_id,
        fetch_interval_minutes: change.interval,
        full_text: change.fullText,
      };
      await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path: { id } }, body: settings }));
      return moved;
    },
    message: t('feed.saved'),
    onDone: async (moved) => {
      onSaved();
      if (moved) {
        // Both feeds stay in the list until the page of the new one is shown, so that neither page reports a missing feed.
        client.setQueryData<Subscription[]>(
          subscriptionKeys.all,
          (all) => all && [...all, movedTo(subscription, moved)],
        );
        await navigate({ to: '/feeds/$feedId', params: { feedId: moved.id } });
      }
      if (change.fullText !== subscription.full_text) await expireTexts(client);
      await Promise.all(
        [subscriptionKeys.all, folderKeys.all].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
    fields: ['title', 'feed_url'],
  });
}

function movedTo(subscription: Subscription, feed: Schema<'FeedView'>): Subscription {
  const feed_title = subscription.own_title ?? (feed.title || feed.feed_url);
  return { ...subscription, id: feed.subscription_id, feed_id: feed.id, feed_url: feed.feed_url, feed_title };
}

async function move(subscription: Subscription, address: string): Promise<Schema<'FeedView'> | null> {
  if (address === subscription.feed_url) return null;
  const path = { id: subscription.feed_id };
  return body(api.PATCH('/api/feeds/{id}', { params: { path }, body: { feed_url: address } }));
}
