import type { Item, ItemPage, Scope } from '../api/items';
import { belongs } from './change';
import { keptFact, keptItems } from './kept';

const PAGE = 50;
/** Pages that were put together here go on here. */
const CURSOR = 'kept:';

type Feed = { feed_id: string; folder_id: string | null };

export const isKeptCursor = (cursor: string | null): boolean => cursor?.startsWith(CURSOR) ?? false;

/** A list out of what is kept: also one that was never opened, as far as its items were seen in others. */
export async function keptPage(scope: Scope, cursor: string | null): Promise<ItemPage | undefined> {
  const [records, feeds] = await Promise.all([keptItems(), keptFact<Feed[]>('subscriptions')]);
  if (!records || !feeds || (cursor && !isKeptCursor(cursor))) return undefined;
  const items = records.map(({ item }) => item);
  return pageOf(items, feeds, scope, cursor?.slice(CURSOR.length) ?? null);
}

/**
 * The page behind the item `after`. Nothing if nothing at all is known of the place; an empty list says that there is nothing
 * of that kind.
 */
export function pageOf(
  items: readonly Item[],
  feeds: readonly Feed[],
  { place, filter, order }: Scope,
  after: string | null,
): ItemPage | undefined {
  const isHere = (one: Feed) =>
    place.kind === 'all' || place.id === (place.kind === 'feed' ? one.feed_id : one.folder_id);
  const here = new Set(feeds.filter(isHere).map((one) => one.feed_id));
  const direction = order === 'newest' ? -1 : 1;
  const all = items
    .filter((item) => here.has(item.feed_id))
    .map((item) => ({ item, time: Date.parse(item.published_at), number: Number(item.id) }))
    .sort((a, b) => direction * (a.time - b.time || a.number - b.number));
  if (all.length === 0) return undefined;
  const start = after === null ? 0 : all.findIndex(({ item }) => item.id === after) + 1;
  const left = all.slice(start).flatMap(({ item }) => (belongs(item, filter) ? [item] : []));
  const page = left.slice(0, PAGE);
  const has_more = left.length > PAGE;
  return {
    items: page,
    as_of: String(Math.max(...all.map(({ number }) => number))),
    has_more,
    next_cursor: has_more ? `${CURSOR}${page.at(-1)?.id}` : null,
    is_kept: true,
  };
}
