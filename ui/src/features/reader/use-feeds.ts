import { useRef } from 'react';
import type { Schema } from '@/shared/api/client';
import type { RowFeed } from '@/shared/content/row-parts';

type Feeds = ReadonlyMap<string, RowFeed>;

/** Names and icons of feeds; as long as they stay the same the same objects, however much is read. */
export function feedsOf(subscriptions: readonly Schema<'SubscriptionView'>[], before: Feeds): Feeds {
  let isChanged = before.size !== subscriptions.length;
  const feeds = new Map<string, RowFeed>();
  for (const { feed_id, feed_title: title, favicon_url: icon } of subscriptions) {
    const was = before.get(feed_id);
    const isSame = was?.title === title && was.icon === icon;
    isChanged ||= !isSame;
    feeds.set(feed_id, was && isSame ? was : { title, icon });
  }
  return isChanged ? feeds : before;
}

export function useFeeds(subscriptions: readonly Schema<'SubscriptionView'>[] = []): Feeds {
  const kept = useRef<Feeds>(new Map());
  kept.current = feedsOf(subscriptions, kept.current);
  return kept.current;
}
