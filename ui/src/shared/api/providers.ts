import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client';

/** The sign-in methods of this server. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => body(api.GET('/auth/providers', { signal })),
});
