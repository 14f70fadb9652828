import { useMemo } from 'react';
import type { Item } from '../api/items';
import type { Subscription } from '../api/subscriptions';
import type { RowFeed } from '../content/row-parts';

const known = new Map<string, RowFeed>();

/** The same object for the same title and icon, so that rows are not drawn again when counts change. */
export function rowFeed(title: string, icon: string | null): RowFeed {
  const key = `${icon} ${title}`;
  const feed = known.get(key) ?? { title, icon };
  known.set(key, feed);
  return feed;
}

/** Title and icon of an item's feed. */
export function useFeedOf(subscriptions: readonly Subscription[] = []): (item: Item) => RowFeed {
  return useMemo(() => {
    const feeds = new Map(subscriptions.map((one) => [one.feed_id, rowFeed(one.feed_title, one.favicon_url)]));
    return (item) => feeds.get(item.feed_id) ?? rowFeed('', null);
  }, [subscriptions]);
}
