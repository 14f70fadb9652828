import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';

/** What a search finds, 50 at a time. What was found before stays until there is something new to show. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: itemKeys.search(q),
    queryFn: ({ pageParam, signal }) =>
      body(api.GET('/api/search', { params: { query: { q, cursor: pageParam ?? undefined } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
