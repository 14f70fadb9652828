import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '@/shared/api/me';
import { useSignOut } from '@/shared/api/sign-out';
import { foldersQuery, subscriptionsQuery } from '@/shared/api/subscriptions';
import { useLanguage } from '@/shared/i18n/use-language';
import { type Destination, searchOf } from '@/shared/layout/destinations';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { type Command, command } from './match';

/** All pages, folders, feeds and actions, in the order of the list. */
export function useCommands(destinations: readonly Destination[]): Command[] {
  const places = usePlaces(destinations);
  const feeds = useFeeds();
  const actions = useActions();
  return useMemo(() => [...places, ...feeds, ...actions], [places, feeds, actions]);
}

function usePlaces(destinations: readonly Destination[]): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isOwner = useQuery(meQuery).data?.role === 'owner';
  return useMemo(
    () =>
      destinations
        .filter(({ isForOwner }) => isOwner || !isForOwner)
        .map((one) =>
          command('places', one.label, t(one.label), () => navigate({ to: one.to, search: searchOf(one) })),
        ),
    [destinations, t, navigate, isOwner],
  );
}

function useFeeds(): Command[] {
  const navigate = useNavigate();
  const folders = useQuery(foldersQuery).data;
  const subscriptions = useQuery(subscriptionsQuery).data;
  return useMemo(() => {
    const folder = (folderId: string) => () => navigate({ to: '/folders/$folderId', params: { folderId } });
    const feed = (feedId: string) => () => navigate({ to: '/feeds/$feedId', params: { feedId } });
    return [
      ...(folders ?? []).map(({ id, name }) => command('folders', id, name, folder(id))),
      ...(subscriptions ?? []).map((one) =>
        command('feeds', one.feed_id, one.feed_title, feed(one.feed_id), one.feed_url),
      ),
    ];
  }, [navigate, folders, subscriptions]);
}

function useActions(): Command[] {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const language = useLanguage();
  const { theme, density } = usePreferences();
  const change = useChangePreferences();
  const { mutate: signOut } = useSignOut();
  return useMemo(() => {
    const action = (id: string, label: string, run: () => unknown) => command('actions', id, label, run);
    const themes = (['light', 'dark', 'system'] as const).filter((one) => one !== theme);
    const other = density === 'compact' ? 'comfortable' : 'compact';
    const [otherLanguage, inOther] = language === 'ja' ? (['en', 'english'] as const) : (['ja', 'japanese'] as const);
    return [
      action('add', t('palette.add'), () => navigate({ to: '.', search: (search) => ({ ...search, add: '' }) })),
      ...themes.map((one) => action(one, t(`palette.${one}`), () => change({ theme: one }))),
      action(other, t(`palette.${other}`), () => change({ density: other })),
      action('language', t(`palette.${inOther}`), () => change({ language: otherLanguage })),
      action('sign-out', t('palette.signOut'), () => signOut()),
    ];
  }, [t, navigate, language, theme, density, change, signOut]);
}
