import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client';

export const meKeys = { all: ['me'] as const };

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: meKeys.all,
  queryFn: ({ signal }) => body(api.GET('/api/users/me', { signal })),
  staleTime: 5 * 60_000,
});
