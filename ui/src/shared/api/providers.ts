import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client';

/** The ways to sign in that there are here, signed in or not. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => body(api.GET('/auth/providers', { signal })),
});
