import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { throttled } from '../lib/throttled';
import { cachedFact } from '../offline/cached';
import type { Change } from '../offline/change';
import { networkOrCache } from '../offline/network-or-cache';
import { overlayFolders, overlaySubscriptions } from '../offline/overlay';
import { revisionOf } from '../offline/send';
import { api, body, type Schema } from './client';
import { outbox, useOutbox } from './outbox';

/** `revision`: the last write that its count contains. Without one it contains all acknowledged writes. */
export type Subscription = Schema<'SubscriptionView'> & { revision?: number };

export const subscriptionKeys = { all: ['subscriptions'] as const };
export const folderKeys = { all: ['folders'] as const };

/** All subscriptions of the user, as the server knows them. To show them: `useSubscriptions`. */
export const subscriptionsQuery = queryOptions({
  queryKey: subscriptionKeys.all,
  queryFn: (context) =>
    networkOrCache(context, request(context.client, context.signal), () => cachedFact<Subscription[]>('subscriptions')),
});

/** Subscriptions with the user's unsent changes. */
export function useSubscriptions() {
  const changes = useOutbox();
  const select = useCallback((all: Subscription[]) => overlaid(all, changes), [changes]);
  return useQuery({ ...subscriptionsQuery, select, structuralSharing: false });
}

/** The subscriptions as they are shown. */
export const shownSubscriptions = (client: QueryClient): Subscription[] =>
  overlaid(client.getQueryData<Subscription[]>(subscriptionKeys.all) ?? [], outbox.get());

/** The last result, for the other components that show the same. */
let last: { all: Subscription[]; changes: readonly Change[]; result: Subscription[] } | null = null;

function overlaid(all: Subscription[], changes: readonly Change[]): Subscription[] {
  if (last?.all !== all || last.changes !== changes) {
    last = { all, changes, result: overlaySubscriptions(all, changes) };
  }
  return last.result;
}

async function request(client: QueryClient, signal: AbortSignal): Promise<Subscription[]> {
  const { data = [], response } = await api.GET('/api/subscriptions', { signal });
  // The answer may contain a write whose own answer is still to come.
  await outbox.settled();
  const revision = revisionOf(response);
  const known = new Map(client.getQueryData<Subscription[]>(subscriptionKeys.all)?.map((one) => [one.id, one]));
  return data.map((one) => {
    const before = known.get(one.id);
    const isOlder = before && ((before.revision ?? 0) > revision || before.items_added > one.items_added);
    // An event was faster than this answer.
    if (!isOlder) return { ...one, revision };
    return { ...one, unread_count: before.unread_count, items_added: before.items_added, revision: before.revision };
  });
}

/** All folders of the user, as the server knows them. To show them: `useFolders`. */
export const foldersQuery = queryOptions({
  queryKey: folderKeys.all,
  queryFn: (context) =>
    networkOrCache(context, body(api.GET('/api/folders', { signal: context.signal })), () =>
      cachedFact<Schema<'FolderView'>[]>('folders'),
    ),
});

/** Folders with the user's unsent changes. */
export function useFolders() {
  const changes = useOutbox();
  const select = useCallback((all: Schema<'FolderView'>[]) => overlayFolders(all, changes), [changes]);
  return useQuery({ ...foldersQuery, select, structuralSharing: false });
}

/** Time for the events that follow a write. */
const EVENT_MS = 3_000;

/** Fetches the counts if no event has brought them after a write. Called once. */
export function watchCounts(client: QueryClient): void {
  const isBehind = ({ feed_id, revision = Number.POSITIVE_INFINITY }: Subscription) =>
    outbox.get().some((change) => (change.revision ?? 0) > revision && change.shifts[feed_id]);
  const check = throttled(EVENT_MS, () => {
    if (!client.getQueryData<Subscription[]>(subscriptionKeys.all)?.some(isBehind)) return;
    void client.invalidateQueries({ queryKey: subscriptionKeys.all });
  });
  outbox.subscribe(check);
}
