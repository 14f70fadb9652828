import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import type { Scope } from '@/shared/api/items';

type Subscription = Schema<'SubscriptionView'>;
type Folder = Schema<'FolderView'>;

export type Place = {
  title: string;
  /** How much is unread in it. */
  unread: number;
  /** Of a feed. */
  subscription: Subscription | null;
  /** It is known that there is no such feed or folder. */
  isMissing: boolean;
};

/** The name of where one is, and what is known about it. */
export function usePlace({ place, filter }: Scope, subscriptions?: Subscription[], folders?: Folder[]): Place {
  const { t } = useTranslation(['reading', 'common']);
  const sum = (all: Subscription[] = []) => all.reduce((count, one) => count + one.unread_count, 0);
  if (place.kind === 'feed') {
    const subscription = subscriptions?.find((one) => one.feed_id === place.id) ?? null;
    const isMissing = subscriptions !== undefined && subscription === null;
    const title = subscription?.feed_title ?? (isMissing ? t('list.noFeed') : '');
    return { title, unread: subscription?.unread_count ?? 0, subscription, isMissing };
  }
  if (place.kind === 'folder') {
    const folder = folders?.find((one) => one.id === place.id);
    const isMissing = folders !== undefined && folder === undefined;
    const unread = sum(subscriptions?.filter((one) => one.folder_id === place.id));
    return { title: folder?.name ?? (isMissing ? t('list.noFolder') : ''), unread, subscription: null, isMissing };
  }
  return { title: t(`common:places.${filter}`), unread: sum(subscriptions), subscription: null, isMissing: false };
}
