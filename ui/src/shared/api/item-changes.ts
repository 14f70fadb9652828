import type { QueryClient } from '@tanstack/react-query';
import type { Schema } from './client';
import { type Item, type ItemDetail, itemKeys } from './items';
import { subscriptionKeys } from './subscriptions';

export type ItemPatch = { is_read?: boolean; is_starred?: boolean };

/** As much as all lists have in common: those of places, and of searches. */
type Pages = { pages: { items: Item[] }[] };
type Subscription = Schema<'SubscriptionView'>;

/** The items that `change` gives another form; whatever stays the same stays the same object. */
export function mapPages<T extends Pages>(data: T, change: (item: Item) => Item): T {
  let isChanged = false;
  const pages = data.pages.map((page) => {
    const items = page.items.map(change);
    if (items.every((item, at) => item === page.items[at])) return page;
    isChanged = true;
    return { ...page, items };
  });
  return isChanged ? { ...data, pages } : data;
}

/** Unread counts after some items of feeds were read (negative) or are unread again. */
export function shiftCounts(all: Subscription[], byFeed: ReadonlyMap<string, number>): Subscription[] {
  return all.map((one) => {
    const shift = byFeed.get(one.feed_id) ?? 0;
    return shift === 0 ? one : { ...one, unread_count: Math.max(0, one.unread_count + shift) };
  });
}

/** An item as it is known here, in whatever list or by itself. */
export function findItem(client: QueryClient, id: string): Item | undefined {
  const detail = client.getQueryData<ItemDetail>(itemKeys.detail(id));
  if (detail) return detail;
  for (const key of [itemKeys.lists, itemKeys.searches]) {
    for (const [, data] of client.getQueriesData<Pages>({ queryKey: key })) {
      for (const page of data?.pages ?? []) {
        const item = page.items.find((one) => one.id === id);
        if (item) return item;
      }
    }
  }
  return undefined;
}

/** Changes items wherever they are shown. */
export function changeItems(client: QueryClient, change: (item: Item) => Item): void {
  for (const key of [itemKeys.lists, itemKeys.searches]) {
    client.setQueriesData<Pages>({ queryKey: key }, (data) => data && mapPages(data, change));
  }
  client.setQueriesData<ItemDetail>({ queryKey: itemKeys.details }, (item) => {
    if (!item) return item;
    const changed = change(item);
    return changed === item ? item : { ...item, is_read: changed.is_read, is_starred: changed.is_starred };
  });
}

/** Shows a change at once, counts included; gives back what undoes it, or nothing if it is so already. */
export function applyPatch(client: QueryClient, id: string, patch: ItemPatch): ItemPatch | null {
  const before = findItem(client, id);
  if (!before) return null;
  const inverse: ItemPatch = {};
  if (patch.is_read !== undefined && patch.is_read !== before.is_read) inverse.is_read = before.is_read;
  if (patch.is_starred !== undefined && patch.is_starred !== before.is_starred) inverse.is_starred = before.is_starred;
  if (Object.keys(inverse).length === 0) return null;
  changeItems(client, (item) => (item.id === id ? { ...item, ...patch } : item));
  if (inverse.is_read !== undefined) {
    const shift = new Map([[before.feed_id, patch.is_read ? -1 : 1]]);
    client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all && shiftCounts(all, shift));
  }
  return inverse;
}
