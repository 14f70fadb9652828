import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshFeed } from '@/shared/api/feeds';
import type { ItemFilter, ItemOrder } from '@/shared/api/items';
import { useFolders, useSubscriptions } from '@/shared/api/subscriptions';
import { useFeedOf } from '@/shared/items/use-feed-of';
import { useItemList } from '@/shared/items/use-item-list';
import { usePanes } from '@/shared/layout/panes';
import { useConnection } from '@/shared/lib/connection';
import { useStable } from '@/shared/lib/use-stable';
import { usePageTitle } from '@/shared/ui/page-title';
import { say } from '@/shared/ui/say';
import { newItems, usePlace } from './place';
import { useList } from './use-list';
import { useMarkAll } from './use-mark-all';
import { useScope } from './use-scope';
import { useVisit } from './visits';

/** The list of the address: its items, which of them is open or selected, and what can be done with it. */
export function useReader() {
  const scope = useScope();
  const { isNarrow } = usePanes();
  const { data: subscriptions, isError: hasNoFeeds } = useSubscriptions();
  const { data: folders } = useFolders();
  const place = usePlace(scope, subscriptions, folders);
  usePageTitle(place.title);
  const arrived = useVisit(scope);
  const list = useList(scope, arrived);
  const refresh = useStable(() => {
    // If the feed cannot be fetched now, the list is loaded all the same.
    if (scope.place.kind === 'feed') refreshFeed(scope.place.id).catch(() => {});
    void reload();
  });
  const markAll = useMarkAll();
  const onMarkAll = useStable(() => list.isLoaded && markAll({ scope, asOf: list.asOf, items: list.items }));
  const opened = useItemList({
    items: list.items,
    list: scope,
    before: arrived.visit?.chosenId,
    reload: refresh,
    markAll: onMarkAll,
  });
  const { openId, openAt, known, selectedId, open, choose } = opened;
  const { leaving } = arrived;
  useEffect(() => {
    leaving.chosenId = selectedId;
  }, [leaving, selectedId]);

  // The next page is loaded before the last item is open.
  useEffect(() => {
    if (openAt >= 0 && openAt >= list.items.length - 5) list.more();
  }, [openAt, list.items.length, list.more]);

  const reload = () => {
    open(null);
    choose(null);
    document.querySelector('#main section')?.scrollTo({ top: 0 });
    return list.reload();
  };
  const isEmpty = list.isLoaded && list.items.length === 0;
  const newCount = list.isReloading ? 0 : newItems(scope, subscriptions ?? [], list.added);
  useNewItems(newCount, isEmpty, reload);

  const feedOf = useFeedOf(subscriptions);
  const isOneFeed = scope.place.kind === 'feed';
  return {
    scope,
    place,
    list,
    leaving,
    startAt: arrived.visit?.top ?? 0,
    ...opened,
    /** The article covers the list. */
    isPage: openId !== null && (isNarrow || (list.isLoaded && !known)),
    isNarrow,
    isEmpty,
    hasFeeds: subscriptions?.length !== 0,
    // Rows are drawn with the names of their feeds, so that nothing moves.
    isReady: list.isLoaded && (isOneFeed || subscriptions !== undefined || hasNoFeeds),
    newCount: isEmpty ? 0 : newCount,
    /** The connection is back: the list can be loaded from the server. */
    isOutdated: useConnection() === 'online' && list.isCached && !list.isReloading,
    hrefOf: useItemHref(),
    feedOf,
    rowFeedOf: isOneFeed ? noFeed : feedOf,
    reload,
    refresh,
    onMarkAll,
  };
}

export type Reader = ReturnType<typeof useReader>;

const noFeed = () => null;

/** Announces new items once, and loads them into an empty list. */
function useNewItems(count: number, isEmpty: boolean, reload: () => Promise<void>) {
  const { t } = useTranslation('reading');
  const hasNew = count > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, not for every feed that brings more
  useEffect(() => {
    if (hasNew) say(t('list.newLong', { count }));
  }, [hasNew]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when items come into an empty list
  useEffect(() => {
    if (isEmpty && hasNew) void reload();
  }, [isEmpty, hasNew]);
}

/** The address of an item in this list, made once for all rows. */
function useItemHref(): (id: string) => string {
  const router = useRouter();
  const where = useLocation({ select: ({ pathname, search }) => `${pathname} ${search.filter} ${search.order}` });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router knows the address
  return useMemo(() => {
    const search = ({ filter, order }: { filter?: ItemFilter; order?: ItemOrder }) => ({ filter, order, item: 'ITEM' });
    const { href } = router.buildLocation({ to: '.', search });
    return (id) => href.replace('ITEM', id);
  }, [router, where]);
}
