import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, body } from '@/shared/api/client';
import { onServerEvent } from '@/shared/api/server-events';
import { watchKeys } from '@/shared/api/watch';
import { throttled } from '@/shared/lib/throttled';

/** A check without new posts causes no event. */
const EVERY_MS = 30_000;
/** A round of checks causes many events. */
const REFETCH_MS = 500;

export const blogsQuery = queryOptions({
  queryKey: watchKeys.blogs,
  queryFn: async ({ signal }) => (await body(api.GET('/api/watch', { signal }))).blogs,
  refetchInterval: EVERY_MS,
});

export const blogQuery = (id: string) =>
  queryOptions({
    queryKey: watchKeys.blog(id),
    queryFn: ({ signal }) => body(api.GET('/api/watch/{id}', { params: { path: { id } }, signal })),
    refetchInterval: EVERY_MS,
  });

export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: watchKeys.history(id),
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { cursor: pageParam ?? undefined } };
      return body(api.GET('/api/watch/{id}/history', { params, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });

/** Fetches the shown sites again when the server reports a change of feeds. */
export function useWatchEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = throttled(REFETCH_MS, () => void client.invalidateQueries({ queryKey: watchKeys.all }));
    const ends = (['feed', 'items', 'subscriptions'] as const).map((name) => onServerEvent(name, refetch));
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
}
