import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, done, type Schema } from '@/shared/api/client';
import { meQuery } from '@/shared/api/me';
import { setSessionUser } from '@/shared/offline/session-user';
import { languageOf, toSettings } from '@/shared/preferences/preferences';
import { getPreferences } from '@/shared/preferences/storage';

/** After a sign-in: forgets the user before, and shows the next page. */
export function useEnter() {
  const client = useQueryClient();
  const router = useRouter();
  return async (me: Schema<'UserView'>, path: string, isNew: boolean) => {
    client.clear();
    await setSessionUser(me.id);
    client.setQueryData(meQuery.queryKey, me);
    if (isNew) {
      // The language of the sign-up page becomes the account's: the server uses it too. The account exists even if this fails.
      const preferences = getPreferences();
      const body = toSettings({ ...preferences, language: languageOf(preferences, navigator.language) }, {});
      await done(api.PUT('/api/users/me/settings', { body })).catch(() => {});
    }
    router.history.replace(path);
  };
}
