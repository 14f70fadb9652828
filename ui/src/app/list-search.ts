import type { QueryClient } from '@tanstack/react-query';
import { itemsQuery, type Scope } from '@/shared/api/items';
import { oneOf, text } from './search-params';

/** What a list shows, in its address. Left out: all items, the newest first, none open. */
export type ListSearch = { filter?: 'all' | 'unread' | 'starred'; order?: 'newest' | 'oldest'; item?: string };

export function listSearch(search: Record<string, unknown>): ListSearch {
  return {
    filter: oneOf(search.filter, ['all', 'unread', 'starred']),
    order: oneOf(search.order, ['newest', 'oldest']),
    item: text(search.item),
  };
}

/** The list that an address means. */
export function scopeOf(place: Scope['place'], { filter = 'all', order = 'newest' }: ListSearch): Scope {
  return { place, filter, order };
}

/** Asks for a list while the code of the page is still on its way; nobody waits for it here. Only when somebody really goes there. */
export function askForList({ queryClient }: { queryClient: QueryClient }, scope: Scope, cause: string): void {
  if (cause !== 'preload') void queryClient.prefetchInfiniteQuery(itemsQuery(scope));
}
