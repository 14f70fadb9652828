import { queryOptions } from '@tanstack/react-query';
import { cachedFact } from '../offline/cached';
import { networkOrCache, staleTime } from '../offline/network-or-cache';
import { setSessionUser } from '../offline/session-user';
import { api, body, type Schema } from './client';

export const meKeys = { all: ['me'] as const };

/** The signed-in user. */
export const meQuery = queryOptions({
  queryKey: meKeys.all,
  queryFn: async (context) => {
    const request = body(api.GET('/api/users/me', { signal: context.signal }));
    const me = await networkOrCache(context, request, () => cachedFact<Schema<'UserView'>>('me'));
    void setSessionUser(me.id);
    return me;
  },
  staleTime: staleTime(5 * 60_000),
});
