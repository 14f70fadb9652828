import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '@/shared/api/me';
import { useSignOut } from '@/shared/api/sign-out';
import { foldersQuery, subscriptionsQuery } from '@/shared/api/subscriptions';
import { useLanguage } from '@/shared/i18n/use-language';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import type { Command } from './match';

/** Everything that can be gone to or done, in the order in which it is listed. */
export function useCommands(): Command[] {
  const places = usePlaces();
  const feeds = useFeeds();
  const actions = useActions();
  return useMemo(() => [...places, ...feeds, ...actions], [places, feeds, actions]);
}

function usePlaces(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isOwner = useQuery(meQuery).data?.role === 'owner';
  return useMemo(() => {
    const place = (id: string, label: string, run: () => unknown): Command => ({ id, label, group: 'places', run });
    const lists = (['all', 'unread', 'starred'] as const).map((filter) =>
      place(filter, t(`places.${filter}`), () => navigate({ to: '/', search: { filter } })),
    );
    return [
      ...lists,
      place('search', t('places.search'), () => navigate({ to: '/search' })),
      place('settings', t('settings'), () => navigate({ to: '/settings' })),
      ...(isOwner ? [place('health', t('health'), () => navigate({ to: '/health' }))] : []),
    ];
  }, [t, navigate, isOwner]);
}

function useFeeds(): Command[] {
  const navigate = useNavigate();
  const folders = useQuery(foldersQuery).data;
  const subscriptions = useQuery(subscriptionsQuery).data;
  return useMemo(
    () => [
      ...(folders ?? []).map(
        ({ id, name }): Command => ({
          id,
          label: name,
          group: 'folders',
          run: () => void navigate({ to: '/folders/$folderId', params: { folderId: id } }),
        }),
      ),
      ...(subscriptions ?? []).map(
        ({ feed_id, feed_title, feed_url }): Command => ({
          id: feed_id,
          label: feed_title,
          also: feed_url,
          group: 'feeds',
          run: () => void navigate({ to: '/feeds/$feedId', params: { feedId: feed_id } }),
        }),
      ),
    ],
    [navigate, folders, subscriptions],
  );
}

function useActions(): Command[] {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const language = useLanguage();
  const { theme, density } = usePreferences();
  const change = useChangePreferences();
  const { mutate: signOut } = useSignOut();
  return useMemo(() => {
    const action = (id: string, label: string, run: () => void): Command => ({ id, label, group: 'actions', run });
    const themes = (['light', 'dark', 'system'] as const).filter((one) => one !== theme);
    const other = density === 'compact' ? 'comfortable' : 'compact';
    const [otherLanguage, inOther] = language === 'ja' ? (['en', 'english'] as const) : (['ja', 'japanese'] as const);
    return [
      action('add', t('palette.add'), () => void navigate({ to: '.', search: (search) => ({ ...search, add: '' }) })),
      ...themes.map((one) => action(one, t(`palette.${one}`), () => change({ theme: one }))),
      action(other, t(`palette.${other}`), () => change({ density: other })),
      action('language', t(`palette.${inOther}`), () => change({ language: otherLanguage })),
      action('sign-out', t('palette.signOut'), () => signOut()),
    ];
  }, [t, navigate, language, theme, density, change, signOut]);
}
