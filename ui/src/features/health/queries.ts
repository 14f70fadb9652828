import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, body, type Schema } from '@/shared/api/client';

export type FeedStatus = Schema<'FetchStatus'>;
export type JobStatus = Schema<'JobStatus'>;

/** The page shows what is happening now. */
const EVERY_MS = 30_000;

export const healthKeys = {
  activity: ['health', 'activity'] as const,
  feeds: (status: FeedStatus) => ['health', 'feeds', status] as const,
  jobs: ['health', 'jobs'] as const,
};

export const activityQuery = queryOptions({
  queryKey: healthKeys.activity,
  queryFn: ({ signal }) => body(api.GET('/api/admin/activity', { signal })),
  refetchInterval: EVERY_MS,
});

export const feedHealthQuery = (status: FeedStatus) =>
  infiniteQueryOptions({
    queryKey: healthKeys.feeds(status),
    queryFn: ({ pageParam, signal }) =>
      body(api.GET('/api/admin/feeds', { params: { query: { status, cursor: pageParam ?? undefined } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: EVERY_MS,
  });

export const jobsQuery = (status: JobStatus, kind: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...healthKeys.jobs, status, kind ?? null],
    queryFn: ({ pageParam, signal }) => {
      const query = { status, kind, cursor: pageParam ?? undefined };
      return body(api.GET('/api/admin/jobs', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: EVERY_MS,
  });
