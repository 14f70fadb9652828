import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { getConnection } from '../lib/connection';
import { cachedChanges, cachedText, cacheItems, cacheText, expireCachedTexts } from '../offline/cached';
import { cachedPage, isCachedCursor } from '../offline/cached-list';
import type { Change, Place } from '../offline/change';
import { firstOf } from '../offline/network-or-cache';
import { filters, overlayItem } from '../offline/overlay';
import { sameUser } from '../offline/session-user';
import { api, body, type Schema } from './client';
import { enqueueChange, outbox, useOutbox } from './outbox';
import { type Subscription, subscriptionsQuery } from './subscriptions';

export type Item = Schema<'ItemView'>;
export type ItemDetail = Schema<'ItemDetailView'>;
export type ItemFilter = Schema<'ItemFilter'>;
export type ItemOrder = 'newest' | 'oldest';
export type ItemPage = Schema<'ItemsView'> & {
  /** Made of stored items, because the server did not answer. */
  is_cached?: true;
  /** The last write that the page certainly contains. */
  revision?: number;
  /** `items_added` of each feed when the page was loaded: what is more now is new. */
  added?: Readonly<Record<string, number>>;
};
export type ItemPages = InfiniteData<ItemPage, string | null>;
export type ItemPatch = { is_read?: boolean; is_starred?: boolean };

/** A list: its place, filter and order. */
export type Scope = { place: Place; filter: ItemFilter; order: ItemOrder };

/** All data below `lists` and `searches` has pages with `items`. */
export const itemKeys = {
  all: ['items'] as const,
  lists: ['items', 'list'] as const,
  list: (scope: Scope) => ['items', 'list', scope] as const,
  searches: ['items', 'search'] as const,
  search: (query: string) => ['items', 'search', query] as const,
  details: ['items', 'detail'] as const,
  detail: (id: string) => ['items', 'detail', id] as const,
};

/** A list with 50 items per page. It is fetched when it is entered, and never while it is read. */
export const itemsQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: itemKeys.list(scope),
    queryFn: ({ client, pageParam, signal }) => fetchPage(client, scope, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    // Pages stay the same objects anyway, and comparing them takes long.
    structuralSharing: false,
  });

/** A list with the user's unsent changes. */
export function useItems(scope: Scope) {
  const changes = useOutbox();
  const select = useCallback((data: ItemPages) => overlayPages(data, changes), [changes]);
  return useInfiniteQuery({ ...itemsQuery(scope), select });
}

/** Pages with the changes that they do not contain. Unchanged pages stay the same objects. */
export function overlayPages(data: ItemPages, changes: readonly Change[]): ItemPages {
  const pages = data.pages.map((page) => {
    const items = page.items.map((item) => overlayItem(item, changes, page.revision));
    return items.every((item, at) => item === page.items[at]) ? page : { ...page, items };
  });
  return pages.every((page, at) => page === data.pages[at]) ? data : { ...data, pages };
}

/** Adds the user's unsent changes to an item. */
export function useOverlay(): <T extends Item>(item: T) => T {
  const changes = useOutbox();
  return useCallback((item) => overlayItem(item, changes), [changes]);
}

const FLUSH_MS = 1_000;

async function fetchPage(
  client: QueryClient,
  scope: Scope,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ItemPage> {
  const cached = async () => cachedPage(scope, cursor, outbox.isOpen ? outbox.get() : await cachedChanges());
  if (isCachedCursor(cursor)) return (await cached()) ?? { items: [], as_of: '0', has_more: false, next_cursor: null };
  if (cursor === null && outbox.pending().length > 0 && getConnection() === 'online') {
    // An item that was starred just now belongs into the starred list.
    await Promise.race([outbox.flush(), new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
  }
  const page = await firstOf(requestPage(scope, cursor, signal), cached);
  // An item whose unsent change removes it from the list is not in it.
  const belongs = (item: Item) => {
    const shown = overlayItem(item, outbox.get(), page.revision);
    return shown === item || filters[scope.filter](shown);
  };
  const feeds = await client.ensureQueryData(subscriptionsQuery).catch((): Subscription[] => []);
  const added = Object.fromEntries(feeds.map((one) => [one.feed_id, one.items_added]));
  return { ...page, items: page.items.filter(belongs), added };
}

/** Asks for a page. With `include`, the texts come too. */
export async function requestPage(
  { place, filter, order }: Scope,
  cursor: string | null,
  signal?: AbortSignal,
  include?: 'content',
): Promise<ItemPage> {
  const isSameUser = sameUser();
  const { revision } = outbox;
  const query = { filter, order, cursor: cursor ?? undefined, include };
  const folder = place.kind === 'folder' ? place.id : undefined;
  const options = { signal, priority: include ? ('low' as const) : undefined };
  const page = await body(
    place.kind === 'feed'
      ? api.GET('/api/feeds/{id}/items', { params: { path: { id: place.id }, query }, ...options })
      : api.GET('/api/items', { params: { query: { ...query, folder } }, ...options }),
  );
  if (isSameUser()) cacheItems(page.items);
  return { ...page, revision };
}

/** For this long a text counts as unchanged. */
const TEXT_MS = 10 * 60_000;

/** An item with its text. */
export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: itemKeys.detail(id),
    queryFn: async ({ signal }): Promise<ItemDetail & { revision?: number }> => {
      // Most texts were fetched ahead.
      const recent = await cachedText(id, Date.now() - TEXT_MS);
      if (recent && !mayGetFullText(recent)) return recent;
      return firstOf(requestText(id, signal), () => cachedText(id));
    },
    staleTime: ({ state }) => (state.data && mayGetFullText(state.data) ? 0 : TEXT_MS),
  });

/** Whether the server may be fetching its whole text. */
const mayGetFullText = (item: ItemDetail) =>
  item.prefers_full_text && item.full_text === null && item.full_text_error === null;

/** An item with its text and the user's unsent changes. */
export function useItem(id: string) {
  const changes = useOutbox();
  const select = useCallback(
    (item: ItemDetail & { revision?: number }) => overlayItem(item, changes, item.revision),
    [changes],
  );
  return useQuery({ ...itemQuery(id), select });
}

async function requestText(id: string, signal: AbortSignal) {
  const isSameUser = sameUser();
  const { revision } = outbox;
  const item = await body(api.GET('/api/items/{id}', { params: { path: { id } }, signal }));
  if (isSameUser()) cacheText(item);
  return { ...item, revision };
}

/** Fetches the whole text of an item from its page, unless the server has it. */
export async function fetchFullText(id: string): Promise<ItemDetail & { revision?: number }> {
  const isSameUser = sameUser();
  const { revision } = outbox;
  const item = await body(api.POST('/api/items/{id}/full-text', { params: { path: { id } } }));
  if (isSameUser()) cacheText(item);
  return { ...item, revision };
}

/** Lets texts be fetched again: another text of an item is wanted now. */
export async function expireTexts(client: QueryClient): Promise<void> {
  await expireCachedTexts();
  await client.invalidateQueries({ queryKey: itemKeys.details });
}

/** As much as lists and searches have in common. */
type Pages = { pages: { items: Item[]; revision?: number }[] };

/** An item as it is shown, from its own query or any list. */
export function findItem(client: QueryClient, id: string): Item | undefined {
  const detail = client.getQueryData<ItemDetail & { revision?: number }>(itemKeys.detail(id));
  if (detail) return overlayItem(detail, outbox.get(), detail.revision);
  for (const key of [itemKeys.lists, itemKeys.searches]) {
    for (const [, data] of client.getQueriesData<Pages>({ queryKey: key })) {
      for (const page of data?.pages ?? []) {
        const item = page.items.find((one) => one.id === id);
        if (item) return overlayItem(item, outbox.get(), page.revision);
      }
    }
  }
  return undefined;
}

/** Marks an item as read or unread, starred or not. */
export function useItemState(): (id: string, patch: ItemPatch) => void {
  const client = useQueryClient();
  return useCallback(
    (id, state) => {
      const item = findItem(client, id);
      const isRead = state.is_read ?? item?.is_read;
      if (item && isRead === item.is_read && (state.is_starred ?? item.is_starred) === item.is_starred) return;
      const shifts = item && isRead !== item.is_read ? { [item.feed_id]: isRead ? -1 : 1 } : {};
      enqueueChange({ kind: 'item', id, state, shifts });
    },
    [client],
  );
}
