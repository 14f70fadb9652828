import type { Item, ItemPage, Scope } from '../api/items';
import { feedsIn } from '../lib/feeds-in';
import { cachedFact, cachedItems } from './cached';
import type { Change } from './change';
import { filters, overlayItem } from './overlay';

const PAGE = 50;
/** The cursor of pages that were made here. */
const CURSOR = 'kept:';

type Feed = { feed_id: string; folder_id: string | null };

export const isCachedCursor = (cursor: string | null): boolean => cursor?.startsWith(CURSOR) ?? false;

/** A page made of stored items. It also works for a list that was never opened, with the items of other lists. */
export async function cachedPage(
  scope: Scope,
  cursor: string | null,
  changes: readonly Change[],
): Promise<ItemPage | undefined> {
  const [records, feeds] = await Promise.all([cachedItems(), cachedFact<Feed[]>('subscriptions')]);
  if (!records || !feeds || (cursor && !isCachedCursor(cursor))) return undefined;
  const items = records.map(({ item }) => item);
  return pageOf(items, feeds, scope, cursor?.slice(CURSOR.length) ?? null, changes);
}

/** The page after the item `after`. Undefined if no item of the place is stored; an empty page if none matches the filter. */
export function pageOf(
  items: readonly Item[],
  feeds: readonly Feed[],
  { place, filter, order }: Scope,
  after: string | null,
  changes: readonly Change[] = [],
): ItemPage | undefined {
  const here = new Set(feedsIn(place, feeds).map((one) => one.feed_id));
  const direction = order === 'newest' ? -1 : 1;
  const all = items
    .filter((item) => here.has(item.feed_id))
    .map((item) => ({ item, time: Date.parse(item.published_at), number: Number(item.id) }))
    .sort((a, b) => direction * (a.time - b.time || a.number - b.number));
  if (all.length === 0) return undefined;
  const start = after === null ? 0 : all.findIndex(({ item }) => item.id === after) + 1;
  const left = all.slice(start).flatMap(({ item }) => (filters[filter](overlayItem(item, changes)) ? [item] : []));
  const page = left.slice(0, PAGE);
  const has_more = left.length > PAGE;
  return {
    items: page,
    as_of: String(Math.max(...all.map(({ number }) => number))),
    has_more,
    next_cursor: has_more ? `${CURSOR}${page.at(-1)?.id}` : null,
    is_cached: true,
  };
}
