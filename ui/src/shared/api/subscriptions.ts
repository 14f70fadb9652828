import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client';
import { leaving } from './leaving';

export const subscriptionKeys = { all: ['subscriptions'] as const };
export const folderKeys = { all: ['folders'] as const };

/** All of a person's subscriptions: the sidebar, titles of feeds in lists, and whether this is a first visit. */
export const subscriptionsQuery = queryOptions({
  queryKey: subscriptionKeys.all,
  queryFn: async ({ signal }) => {
    const all = await body(api.GET('/api/subscriptions', { signal }));
    return all.filter((one) => !leaving.has(one.id));
  },
});

export const foldersQuery = queryOptions({
  queryKey: folderKeys.all,
  queryFn: ({ signal }) => body(api.GET('/api/folders', { signal })),
});
