import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useServerEvents } from '@/shared/api/server-events';
import { useFolders, useSubscriptions } from '@/shared/api/subscriptions';
import { useLanguage } from '@/shared/i18n/use-language';
import { useKeys } from '@/shared/keys/use-keys';
import { setTitleCount } from '@/shared/ui/page-title';
import { applyServerEvents } from './apply-server-events';
import { neighbour, treeOf, unreadOf } from './tree';

/** Runs while the user is signed in, with or without a sidebar: events, the count in the tab, keys from feed to feed. */
export function ReaderWatch() {
  const client = useQueryClient();
  useEffect(() => applyServerEvents(client), [client]);
  useServerEvents();
  const { data: subscriptions = [] } = useSubscriptions();
  const { data: folders } = useFolders();
  const unread = unreadOf(subscriptions);
  useEffect(() => {
    setTitleCount(unread);
    document.querySelector('link[rel=icon]')?.setAttribute('href', unread > 0 ? '/icon-unread.svg' : '/icon.svg');
    return () => setTitleCount(0);
  }, [unread]);

  const navigate = useNavigate();
  const language = useLanguage();
  const { feedId } = useParams({ strict: false });
  const go = (by: 1 | -1) => () => {
    const feed = folders && neighbour(treeOf(subscriptions, folders, language), feedId, by);
    if (feed) void navigate({ to: '/feeds/$feedId', params: { feedId: feed.feed_id } });
  };
  useKeys({ nextFeed: go(1), previousFeed: go(-1) });
  return null;
}
