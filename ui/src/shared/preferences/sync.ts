import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { useCallback, useEffect } from 'react';
import { api, body } from '../api/client';
import { toast } from '../ui/toast-store';
import { fromSettings, type Preferences, toSettings } from './preferences';
import { getPreferences, setPreferences } from './storage';

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => body(api.GET('/api/users/me/settings', { signal })),
  staleTime: 5 * 60_000,
});

const saving = ['save-settings'] as const;

/** Takes over what the server keeps, when it comes and nothing newer is on its way there. */
export function useServerPreferences(): void {
  const client = useQueryClient();
  const { data } = useQuery(settingsQuery);
  useEffect(() => {
    if (data && client.isMutating({ mutationKey: saving }) === 0) setPreferences(fromSettings(data));
  }, [data, client]);
}

/** Changes preferences: here at once, on the server as soon as it can be reached, one change after the other. */
export function useChangePreferences(): (patch: Partial<Preferences>) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: saving,
    scope: { id: 'settings' },
    mutationFn: async () => {
      const kept = await client.ensureQueryData(settingsQuery);
      return body(api.PUT('/api/users/me/settings', { body: toSettings(getPreferences(), kept.preferences) }));
    },
    onSuccess: (settings) => client.setQueryData(settingsQuery.queryKey, settings),
    onError: () => toast({ message: t('notKept') }),
  });
  return useCallback(
    (patch) => {
      setPreferences({ ...getPreferences(), ...patch });
      mutate();
    },
    [mutate],
  );
}
