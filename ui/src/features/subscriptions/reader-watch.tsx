import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEvents } from '@/shared/api/events';
import { useLanguage } from '@/shared/i18n/use-language';
import { useKeys } from '@/shared/keys/use-keys';
import { setTitleCount } from '@/shared/lib/page-title';
import { neighbour } from './tree';
import { useTree } from './use-tree';

/** What goes on while somebody is signed in, sidebar or not: events, the count in the tab, keys from feed to feed. */
export function ReaderWatch() {
  useEvents();
  const { tree } = useTree(useLanguage());
  const unread = tree?.unread ?? 0;
  useEffect(() => {
    setTitleCount(unread);
    document.querySelector('link[rel=icon]')?.setAttribute('href', unread > 0 ? '/icon-unread.svg' : '/icon.svg');
    return () => setTitleCount(0);
  }, [unread]);

  const navigate = useNavigate();
  const { feedId } = useParams({ strict: false });
  const go = (by: 1 | -1) => () => {
    const feed = tree && neighbour(tree, feedId, by);
    if (feed) void navigate({ to: '/feeds/$feedId', params: { feedId: feed.feed_id } });
  };
  useKeys({ nextFeed: go(1), previousFeed: go(-1) });
  return null;
}
