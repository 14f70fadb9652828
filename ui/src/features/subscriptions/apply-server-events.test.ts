// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Subscription, subscriptionKeys } from '@/shared/api/subscriptions';
import { applyServerEvents } from './apply-server-events';

const { handlers } = vi.hoisted(() => ({ handlers: new Map<string, (data: unknown) => unknown>() }));
vi.mock('@/shared/api/server-events', () => ({
  onServerEvent: (name: string, handler: (data: unknown) => unknown) => handlers.set(name, handler),
}));

let client: QueryClient;
const feed = (feed_id: string, unread_count: number) =>
  ({ feed_id, unread_count, items_added: 0, revision: 3, feed_status: 'active', error_message: null }) as Subscription;
const known = () => client.getQueryData<Subscription[]>(subscriptionKeys.all);
const hear = async (name: string, data: unknown) => {
  await handlers.get(name)?.(data);
};
const state = (feed_id: string, fetch_status: string, error_message: string) => ({
  feed_id,
  fetch_status,
  error_code: 'gone',
  error_message,
  last_fetched_at: null,
  next_fetch_at: '2026-11-16T00:00:00Z',
});
const counter = (feed_id: string, unread_count: number, revision = 3, items_added = 0) => ({
  subscription_id: feed_id,
  feed_id,
  unread_count,
  revision,
  items_added,
});

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(subscriptionKeys.all, [feed('a', 1), feed('b', 2)]);
  applyServerEvents(client);
});

it('counters set the count of their feed, unless a newer one is known', async () => {
  await hear('counters', counter('b', 7, 4));
  expect(known()?.map((one) => one.unread_count)).toEqual([1, 7]);
  await hear('counters', counter('b', 9, 3));
  expect(known()?.map((one) => one.unread_count)).toEqual([1, 7]);
});

it('hello sets all counts and the number of items', async () => {
  await hear('hello', { unread_count: 5, subscriptions: [counter('a', 4, 3, 13), counter('b', 1)], troubled: [] });
  expect(known()).toMatchObject([{ unread_count: 4, items_added: 13 }, { unread_count: 1 }]);
});

it('hello with other feeds fetches the subscriptions', async () => {
  vi.useFakeTimers();
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  await hear('hello', { unread_count: 3, subscriptions: [counter('a', 1), counter('b', 2)], troubled: [] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(invalidate).not.toHaveBeenCalled();
  await hear('hello', { unread_count: 3, subscriptions: [counter('a', 1), counter('c', 2)], troubled: [] });
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(invalidate).toHaveBeenCalledWith({ queryKey: subscriptionKeys.all });
});

it('hello and feed set the fetch state', async () => {
  const hello = { unread_count: 3, subscriptions: [counter('a', 1), counter('b', 2)] };
  await hear('hello', { ...hello, troubled: [state('a', 'stopped', 'Gone.')] });
  expect(known()).toMatchObject([
    { feed_status: 'stopped', error_message: 'Gone.', unread_count: 1 },
    { feed_status: 'active', error_message: null, unread_count: 2 },
  ]);
  await hear('hello', { ...hello, troubled: [] });
  expect(known()?.[0]).toMatchObject({ feed_status: 'active', error_code: null, error_message: null });
  await hear('feed', state('a', 'stopped', 'Gone.'));
  expect(known()?.[0]).toMatchObject({ feed_status: 'stopped', error_message: 'Gone.', unread_count: 1 });
});
