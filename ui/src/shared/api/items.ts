import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, body, type Schema } from './client';

export type Item = Schema<'ItemView'>;
export type ItemDetail = Schema<'ItemDetailView'>;
export type ItemFilter = Schema<'ItemFilter'>;
export type ItemOrder = 'newest' | 'oldest';
export type ItemPages = InfiniteData<Schema<'ItemsView'>, string | null>;

/** Which list: of everything, of a folder or of a feed; what of it; in which order. */
export type Scope = {
  place: { kind: 'all' } | { kind: 'folder'; id: string } | { kind: 'feed'; id: string };
  filter: ItemFilter;
  order: ItemOrder;
};

/** Everything below `lists` and `searches` has pages with `items`: a changed item is changed in all of them. */
export const itemKeys = {
  all: ['items'] as const,
  lists: ['items', 'list'] as const,
  list: (scope: Scope) => ['items', 'list', scope] as const,
  searches: ['items', 'search'] as const,
  search: (query: string) => ['items', 'search', query] as const,
  details: ['items', 'detail'] as const,
  detail: (id: string) => ['items', 'detail', id] as const,
};

/** A list, 50 items at a time. It is loaded anew when it is entered, and never by itself while somebody reads in it. */
export const itemsQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: itemKeys.list(scope),
    queryFn: ({ pageParam, signal }) => page(scope, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });

function page({ place, filter, order }: Scope, cursor: string | null, signal: AbortSignal) {
  const query = { filter, order, cursor: cursor ?? undefined };
  if (place.kind === 'feed') {
    return body(api.GET('/api/feeds/{id}/items', { params: { path: { id: place.id }, query }, signal }));
  }
  const folder = place.kind === 'folder' ? place.id : undefined;
  return body(api.GET('/api/items', { params: { query: { ...query, folder } }, signal }));
}

/** An item with its text. */
export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: itemKeys.detail(id),
    queryFn: ({ signal }) => body(api.GET('/api/items/{id}', { params: { path: { id } }, signal })),
    staleTime: 10 * 60_000,
  });
