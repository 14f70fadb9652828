import { expect, it } from 'vitest';
import type { Schema } from '@/shared/api/client';
import { feedsOf } from './use-feeds';

const feed = (feed_id: string, feed_title: string, unread_count = 0) =>
  ({ feed_id, feed_title, unread_count, favicon_url: null }) as Schema<'SubscriptionView'>;

it('names of feeds stay the same objects while only counts change', () => {
  const before = feedsOf([feed('a', 'A'), feed('b', 'B')], new Map());
  expect(feedsOf([feed('a', 'A', 5), feed('b', 'B')], before)).toBe(before);
  const after = feedsOf([feed('a', 'A'), feed('b', 'Another')], before);
  expect(after.get('a')).toBe(before.get('a'));
  expect(after.get('b')?.title).toBe('Another');
  expect(feedsOf([feed('a', 'A')], before).size).toBe(1);
});
