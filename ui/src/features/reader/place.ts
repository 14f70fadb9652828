import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import type { Scope } from '@/shared/api/items';
import type { Subscription } from '@/shared/api/subscriptions';
import { feedsIn } from '@/shared/lib/feeds-in';

export type Place = {
  title: string;
  /** The number of unread items. */
  unread: number;
  /** The subscription of a feed. */
  subscription: Subscription | null;
  /** True if there is no such feed or folder. */
  isMissing: boolean;
};

/** The title of a place and what is known about it. */
export function usePlace(
  { place, filter }: Scope,
  subscriptions?: Subscription[],
  folders?: Schema<'FolderView'>[],
): Place {
  const { t } = useTranslation(['reading', 'common']);
  const feeds = feedsIn(place, subscriptions ?? []);
  const unread = feeds.reduce((count, one) => count + one.unread_count, 0);
  if (place.kind === 'all')
    return { title: t(`common:places.${filter}`), unread, subscription: null, isMissing: false };
  const subscription = place.kind === 'feed' ? (feeds[0] ?? null) : null;
  const folder = place.kind === 'folder' ? folders?.find((one) => one.id === place.id) : undefined;
  const isKnown = (place.kind === 'feed' ? subscriptions : folders) !== undefined;
  const isMissing = isKnown && !subscription && !folder;
  const missing = place.kind === 'feed' ? t('list.noFeed') : t('list.noFolder');
  const title = subscription?.feed_title ?? folder?.name ?? (isMissing ? missing : '');
  return { title, unread, subscription, isMissing };
}

/** The number of items that came into a list after it was loaded. */
export function newItems(
  { place, filter }: Scope,
  subscriptions: readonly Subscription[],
  added: Readonly<Record<string, number>>,
): number {
  if (filter === 'starred') return 0;
  const isNew = (one: Subscription) => Math.max(0, one.items_added - (added[one.feed_id] ?? one.items_added));
  return feedsIn(place, subscriptions).reduce((count, one) => count + isNew(one), 0);
}
