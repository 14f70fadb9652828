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

/** Takes over what the server keeps, when it comes and nothing newer is on its way there. */
export function useServerPreferences(): void {
  const { data } = useQuery(settingsQuery);
  useEffect(() => {
    const isOld = outbox.pending().some((change) => change.kind === 'settings');
    if (data && !isOld) setPreferences(fromSettings(data));
  }, [data]);
}

/** Changes preferences: here at once, on the server as soon as it can be reached. */
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
