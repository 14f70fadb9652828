import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { onNewItems } from './arrivals';
import type { Schema } from './client';
import { hear } from './events';
import { subscriptionKeys } from './subscriptions';

let client: QueryClient;
const feed = (feed_id: string, unread_count: number) =>
  ({ feed_id, unread_count, feed_status: 'active', error_message: null }) as Schema<'SubscriptionView'>;
const known = () => client.getQueryData<Schema<'SubscriptionView'>[]>(subscriptionKeys.all);
const state = (feed_id: string, fetch_status: string, error_message: string) => ({
  feed_id,
  fetch_status,
  error_code: 'gone',
  error_message,
  last_fetched_at: null,
  next_fetch_at: '2026-11-16T00:00:00Z',
});
const counter = (feed_id: string, unread_count: number, items_added = 0) => ({
  subscription_id: feed_id,
  feed_id,
  unread_count,
  items_added,
});

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(subscriptionKeys.all, [feed('a', 1), feed('b', 2)]);
});

it('counters set the count of their feed', () => {
  hear(client, 'counters', counter('b', 7));
  expect(known()?.map((one) => one.unread_count)).toEqual([1, 7]);
});

it('hello sets all counts, and what came while nobody listened is announced', () => {
  const hello = (added: number, unread: number) => ({
    unread_count: unread + 1,
    subscriptions: [counter('a', unread, added), counter('b', 1, 2)],
    troubled: [],
  });
  hear(client, 'hello', hello(10, 9));
  const heard = vi.fn();
  const end = onNewItems(heard);
  // Some of it was read elsewhere meanwhile.
  hear(client, 'hello', hello(13, 4));
  end();
  expect(known()?.map((one) => one.unread_count)).toEqual([4, 1]);
  expect(heard.mock.calls).toEqual([[{ feed_id: 'a', new_items: 3 }]]);
});

it('hello with other feeds than are known has them asked for', () => {
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  hear(client, 'hello', { unread_count: 3, subscriptions: [counter('a', 1), counter('b', 2)], troubled: [] });
  expect(invalidate).not.toHaveBeenCalled();
  hear(client, 'hello', { unread_count: 3, subscriptions: [counter('a', 1), counter('c', 2)], troubled: [] });
  expect(invalidate).toHaveBeenCalledWith({ queryKey: subscriptionKeys.all });
});

it('hello says what became of feeds while nobody listened', () => {
  const hello = { unread_count: 3, subscriptions: [counter('a', 1), counter('b', 2)] };
  hear(client, 'hello', { ...hello, troubled: [state('a', 'stopped', 'Gone.')] });
  expect(known()).toMatchObject([
    { feed_status: 'stopped', error_message: 'Gone.', unread_count: 1 },
    { feed_status: 'active', error_message: null, unread_count: 2 },
  ]);
  hear(client, 'hello', { ...hello, troubled: [] });
  expect(known()?.[0]).toMatchObject({ feed_status: 'active', error_code: null, error_message: null });
});

it('an answer that was on its way before hello is asked for once more', async () => {
  vi.useFakeTimers();
  void client.prefetchQuery({ queryKey: subscriptionKeys.all, queryFn: () => new Promise<never>(() => {}) });
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  hear(client, 'hello', { unread_count: 3, subscriptions: [counter('a', 1), counter('b', 2)], troubled: [] });
  expect(invalidate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(invalidate).toHaveBeenCalledWith({ queryKey: subscriptionKeys.all });
});

it('a feed that fails says so', () => {
  hear(client, 'feed', state('a', 'stopped', 'Gone.'));
  expect(known()?.[0]).toMatchObject({ feed_status: 'stopped', error_message: 'Gone.', unread_count: 1 });
});
