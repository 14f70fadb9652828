import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { checkConnection, wasHeard } from '../offline/connection';
import { noteArrivals } from './arrivals';
import { apiUrl, type Schema } from './client';
import { arrivedCounts, toldCount, withPending } from './counts';
import { pending } from './pending';
import { folderKeys, subscriptionKeys } from './subscriptions';

type Subscription = Schema<'SubscriptionView'>;

/** How a feed was fetched, in the words of subscriptions. */
const stateOf = ({ fetch_status, ...state }: Schema<'FeedStateView'>) => ({ ...state, feed_status: fetch_status });
const WELL = { feed_status: 'active', error_code: null, error_message: null } as const;

/** Writes what the server says into what is shown. */
export function hear(client: QueryClient, name: string, data: unknown): void {
  const change = (map: (one: Subscription) => Subscription) =>
    client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all?.map(map));
  if (name === 'hello') {
    const hello = data as Schema<'HelloView'>;
    hello.subscriptions.forEach(noteArrivals);
    const known = client.getQueryData<Subscription[]>(subscriptionKeys.all);
    // An answer that is on its way may be older than this.
    if (client.isFetching({ queryKey: subscriptionKeys.all }) > 0) askAnew(client);
    if (!known) return;
    const counts = new Map(hello.subscriptions.map(withPending).map((one) => [one.feed_id, one.unread_count]));
    const troubled = new Map(hello.troubled.map((one) => [one.feed_id, stateOf(one)]));
    change((one) => ({
      ...one,
      ...(troubled.get(one.feed_id) ?? WELL),
      unread_count: counts.get(one.feed_id) ?? one.unread_count,
    }));
    const isSame = known.length === counts.size && known.every((one) => counts.has(one.feed_id));
    if (!isSame) void client.invalidateQueries({ queryKey: subscriptionKeys.all });
  } else if (name === 'counters') {
    const counter = data as Schema<'CounterView'>;
    noteArrivals(counter);
    const unread_count = toldCount(counter);
    if (unread_count === null) return;
    change((one) => (one.feed_id === counter.feed_id ? { ...one, unread_count } : one));
  } else if (name === 'items') {
    noteArrivals(data as Schema<'NewItemsView'>);
  } else if (name === 'feed') {
    const state = stateOf(data as Schema<'FeedStateView'>);
    change((one) => (one.feed_id === state.feed_id ? { ...one, ...state } : one));
  } else {
    askAnew(client);
  }
}

/** Shows the counts that had to wait for a change to arrive. */
function settleCounts(client: QueryClient): void {
  const { counts, areOthersDoubtful } = arrivedCounts();
  if (areOthersDoubtful) void client.invalidateQueries({ queryKey: subscriptionKeys.all });
  if (counts.size === 0) return;
  client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) =>
    all?.map((one) => ({ ...one, unread_count: counts.get(one.feed_id) ?? one.unread_count })),
  );
}

let asking: ReturnType<typeof setTimeout> | null = null;

/** Hundreds may be added one after the other, by a file: they are asked for twice a second at the most. */
function askAnew(client: QueryClient) {
  if (asking !== null) return;
  asking = setTimeout(() => {
    asking = null;
    void client.invalidateQueries({ queryKey: subscriptionKeys.all });
    void client.invalidateQueries({ queryKey: folderKeys.all });
  }, 500);
}

const NAMES = ['hello', 'counters', 'items', 'feed', 'subscriptions'] as const;

/** Follows what changes on the server, once for the whole page. Where browsers give up connecting, it goes on. */
export function useEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const connect = () => {
      source = new EventSource(apiUrl('/api/events'), { withCredentials: true });
      source.addEventListener('open', () => void wasHeard());
      for (const name of NAMES) {
        source.addEventListener(name, (event) => {
          failures = 0;
          hear(client, name, JSON.parse((event as MessageEvent<string>).data));
        });
      }
      source.addEventListener('error', () => {
        void checkConnection();
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(connect, Math.min(2_000 * 2 ** failures++, 60_000));
      });
    };
    connect();
    const stopSettling = pending.subscribe(() => settleCounts(client));
    const unsubscribe = onlineManager.subscribe((isOnline) => {
      if (!isOnline || source.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      connect();
    });
    return () => {
      stopSettling();
      unsubscribe();
      clearTimeout(timer);
      source.close();
    };
  }, [client]);
}
