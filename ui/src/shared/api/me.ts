import { queryOptions } from '@tanstack/react-query';
import { keptFact } from '../offline/kept';
import { orKept } from '../offline/or-kept';
import { isHere } from '../offline/owner';
import { api, body, type Schema } from './client';

export const meKeys = { all: ['me'] as const };

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: meKeys.all,
  queryFn: async ({ signal }) => {
    const me = await orKept(body(api.GET('/api/users/me', { signal })), () => keptFact<Schema<'UserView'>>('me'));
    void isHere(me.id);
    return me;
  },
  staleTime: 5 * 60_000,
});
