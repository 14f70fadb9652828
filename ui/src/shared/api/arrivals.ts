import type { Schema } from './client';

type Arrived = Pick<Schema<'NewItemsView'>, 'feed_id' | 'new_items'>;
type Counted = Pick<Schema<'NewItemsView'>, 'feed_id' | 'items_added'>;

const listeners = new Set<(arrived: Arrived) => void>();
/** How many items each feed has had, as far as is known here. */
const known = new Map<string, number>();

/** Calls back when feeds have new items; gives a function that ends it. */
export function onNewItems(listener: (arrived: Arrived) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes up what an answer or an event says of a feed: what came is told once, whichever of them says it first. */
export function noteArrivals({ feed_id, items_added }: Counted): void {
  const before = known.get(feed_id);
  if (before !== undefined && items_added <= before) return;
  known.set(feed_id, items_added);
  if (before === undefined) return;
  for (const listener of listeners) listener({ feed_id, new_items: items_added - before });
}
