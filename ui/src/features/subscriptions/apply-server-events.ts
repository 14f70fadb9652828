import type { QueryClient } from '@tanstack/react-query';
import type { Schema } from '@/shared/api/client';
import { outbox } from '@/shared/api/outbox';
import { onServerEvent } from '@/shared/api/server-events';
import { folderKeys, type Subscription, subscriptionKeys } from '@/shared/api/subscriptions';
import { throttled } from '@/shared/lib/throttled';

/** An import adds hundreds of subscriptions: they are fetched twice a second at most. */
const REFETCH_MS = 500;

/** The fetch state of a feed with the names of `Subscription`. */
const stateOf = ({ fetch_status, ...state }: Schema<'FeedStateView'>) => ({ ...state, feed_status: fetch_status });
const ACTIVE = { feed_status: 'active', error_code: null, error_message: null } as const;

/** Writes the events of the server into the query cache. Returns a function that ends it. */
export function applyServerEvents(client: QueryClient): () => void {
  const change = (map: (one: Subscription) => Subscription) =>
    client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all?.map(map));
  const refetch = throttled(REFETCH_MS, () => {
    for (const queryKey of [subscriptionKeys.all, folderKeys.all]) void client.invalidateQueries({ queryKey });
  });
  const ends = [
    onServerEvent('hello', async (hello) => {
      await outbox.settled();
      const counters = new Map(hello.subscriptions.map((one) => [one.feed_id, one]));
      const troubled = new Map(hello.troubled.map((one) => [one.feed_id, stateOf(one)]));
      const known = client.getQueryData<Subscription[]>(subscriptionKeys.all);
      change((one) => counted({ ...one, ...(troubled.get(one.feed_id) ?? ACTIVE) }, counters.get(one.feed_id)));
      const isSame = known?.length === counters.size && known.every((one) => counters.has(one.feed_id));
      if (known && !isSame) refetch();
    }),
    onServerEvent('counters', async (counter) => {
      // The count may contain a write whose answer is still to come.
      await outbox.settled();
      change((one) => (one.feed_id === counter.feed_id ? counted(one, counter) : one));
    }),
    onServerEvent('items', ({ feed_id, items_added }) =>
      change((one) => (one.feed_id === feed_id && items_added > one.items_added ? { ...one, items_added } : one)),
    ),
    onServerEvent('feed', (state) =>
      change((one) => (one.feed_id === state.feed_id ? { ...one, ...stateOf(state) } : one)),
    ),
    onServerEvent('subscriptions', refetch),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function counted(one: Subscription, counter?: Schema<'CounterView'>): Subscription {
  if (!counter || (one.revision ?? 0) > counter.revision) return one;
  const { unread_count, revision } = counter;
  return { ...one, unread_count, revision, items_added: Math.max(one.items_added, counter.items_added) };
}
