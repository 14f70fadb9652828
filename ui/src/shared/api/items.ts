import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { belongs, type Change, type Place, withChanges } from '../offline/change';
import { getConnection } from '../offline/connection';
import { keepItems, keepText, keptText } from '../offline/kept';
import { isKeptCursor, keptPage } from '../offline/kept-list';
import { orKept } from '../offline/or-kept';
import { whoeverIsHere } from '../offline/owner';
import { api, body, type Schema } from './client';
import { pending } from './pending';

export type Item = Schema<'ItemView'>;
export type ItemDetail = Schema<'ItemDetailView'>;
export type ItemFilter = Schema<'ItemFilter'>;
export type ItemOrder = 'newest' | 'oldest';
/** `is_kept`: put together here from what was kept, because the server did not answer. */
export type ItemPage = Schema<'ItemsView'> & { is_kept?: true };
export type ItemPages = InfiniteData<ItemPage, string | null>;

/** Which list: of everything, of a folder or of a feed; what of it; in which order. */
export type Scope = {
  place: Place;
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
    // Pages that are there stay the same objects anyway; comparing them all with themselves at each further one takes long.
    structuralSharing: false,
  });

const PATIENCE_MS = 1_000;

async function page(scope: Scope, cursor: string | null, signal: AbortSignal): Promise<ItemPage> {
  const kept = () => keptPage(scope, cursor);
  // Such a list goes on as it began; it ends where nothing more is kept.
  if (isKeptCursor(cursor)) return (await kept()) ?? { items: [], as_of: '0', has_more: false, next_cursor: null };
  if (cursor === null) await isTold();
  const changes = pending.follow();
  return withPending(await orKept(ask(scope, cursor, signal), kept), scope, changes());
}

/** Whoever stars something and goes to what is starred wants to see it there: what is on its way arrives first, if it is quick. */
async function isTold(): Promise<void> {
  if (pending.get().length === 0 || getConnection() !== 'online') return;
  await Promise.race([pending.flush(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

/** What the server does not know of yet holds; what then no longer belongs into the list is not in it. */
function withPending(page: ItemPage, { filter }: Scope, changes: readonly Change[]): ItemPage {
  const items = page.items.flatMap((item) => {
    const changed = withChanges(item, changes);
    return changed === item || belongs(changed, filter) ? [changed] : [];
  });
  return { ...page, items };
}

async function ask({ place, filter, order }: Scope, cursor: string | null, signal: AbortSignal): Promise<ItemPage> {
  const isStillHere = whoeverIsHere();
  const changes = pending.follow();
  const query = { filter, order, cursor: cursor ?? undefined };
  const folder = place.kind === 'folder' ? place.id : undefined;
  const page = await body(
    place.kind === 'feed'
      ? api.GET('/api/feeds/{id}/items', { params: { path: { id: place.id }, query }, signal })
      : api.GET('/api/items', { params: { query: { ...query, folder } }, signal }),
  );
  if (isStillHere()) keepItems(page.items.map((item) => withChanges(item, changes())));
  return page;
}

/** For this long a text is taken to be as it was. */
const TEXT_MS = 10 * 60_000;

/** An item with its text. */
export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: itemKeys.detail(id),
    queryFn: async ({ signal }) => {
      const changes = pending.follow();
      // Fetched ahead, most likely.
      const fresh = await keptText(id, Date.now() - TEXT_MS);
      const item = fresh ?? (await orKept(text(id, signal), () => keptText(id)));
      return withChanges(item, changes());
    },
    staleTime: TEXT_MS,
  });

async function text(id: string, signal: AbortSignal): Promise<ItemDetail> {
  const isStillHere = whoeverIsHere();
  const changes = pending.follow();
  const item = await body(api.GET('/api/items/{id}', { params: { path: { id } }, signal }));
  if (isStillHere()) keepText(withChanges(item, changes()));
  return item;
}
