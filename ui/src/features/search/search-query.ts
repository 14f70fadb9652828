import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';

/** What a search finds, 50 at a time. The results of the search before stay until the answer is there. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: itemKeys.search(q),
    queryFn: async ({ pageParam, signal }) => {
      const ask = (cursor?: string | null) =>
        body(api.GET('/api/search', { params: { query: { q, cursor: cursor ?? undefined } }, signal }));
      let page = await ask(pageParam);
      // A page can be empty and not be the last one.
      while (page.items.length === 0 && page.next_cursor) page = await ask(page.next_cursor);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: (before) => (before?.pages[0]?.items.length ? before : undefined),
  });
