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
