import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { useCallback, useEffect } from 'react';
import { api, body, type Schema } from '../api/client';
import { enqueueChange, outbox } from '../api/outbox';
import { cachedFact } from '../offline/cached';
import { networkOrCache, staleTime } from '../offline/network-or-cache';
import { toast } from '../ui/toast-store';
import { fromSettings, type Preferences, toSettings } from './preferences';
import { getPreferences, setPreferences } from './storage';

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: (context) =>
    networkOrCache(context, body(api.GET('/api/users/me/settings', { signal: context.signal })), () =>
      cachedFact<Schema<'SettingsView'>>('settings'),
    ),
  staleTime: staleTime(5 * 60_000),
});

/** Applies the preferences of the server, unless a newer change of this browser is still unsent. */
export function useServerPreferences(): void {
  const { data } = useQuery(settingsQuery);
  useEffect(() => {
    const isOld = outbox.pending().some((change) => change.kind === 'settings');
    if (data && !isOld) setPreferences(fromSettings(data));
  }, [data]);
}

/** Changes preferences: in this browser at once, on the server when it can be reached. */
export function useChangePreferences(): (patch: Partial<Preferences>) => void {
  const client = useQueryClient();
  return useCallback(
    (patch) => {
      setPreferences({ ...getPreferences(), ...patch });
      client.ensureQueryData(settingsQuery).then(
        (kept) => {
          const settings = toSettings(getPreferences(), kept.preferences);
          client.setQueryData(settingsQuery.queryKey, settings);
          enqueueChange({ kind: 'settings', body: settings, shifts: {} });
        },
        () => toast({ message: t('notKept') }),
      );
    },
    [client],
  );
}
