import { queryOptions } from '@tanstack/react-query';
import { api, body } from '@/shared/api/client';

export const accountKeys = {
  sessions: ['sessions'] as const,
  tokens: ['tokens'] as const,
  identities: ['identities'] as const,
};

/** They change only with a new version. */
export const licensesQuery = queryOptions({
  queryKey: ['licenses'],
  queryFn: ({ signal }) => body(api.GET('/api/licenses', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => body(api.GET('/api/users/me/sessions', { signal })),
});

export const tokensQuery = queryOptions({
  queryKey: accountKeys.tokens,
  queryFn: ({ signal }) => body(api.GET('/api/users/me/tokens', { signal })),
});

export const identitiesQuery = queryOptions({
  queryKey: accountKeys.identities,
  queryFn: ({ signal }) => body(api.GET('/api/users/me/identities', { signal })),
});
