import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Item } from '@/shared/api/items';
import { foldersQuery, subscriptionsQuery } from '@/shared/api/subscriptions';
import { ArticlePage } from '@/shared/content/article-page';
import { OpenItem } from '@/shared/content/open-item';
import { useItemKeys } from '@/shared/keys/use-item-keys';
import { usePanes } from '@/shared/layout/panes';
import { usePageTitle } from '@/shared/lib/page-title';
import { useStable } from '@/shared/lib/use-stable';
import { useConnection } from '@/shared/offline/connection';
import { usePreferences } from '@/shared/preferences/storage';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { say } from '@/shared/ui/say';
import { FeedNotice } from './feed-notice';
import { ItemList } from './item-list';
import { ListBar } from './list-bar';
import { ListEmpty } from './list-empty';
import { ListSkeleton } from './list-skeleton';
import { usePlace } from './place';
import { useFeeds } from './use-feeds';
import { useItemActions } from './use-item-actions';
import { leave, useList } from './use-list';
import { useMarkAll } from './use-mark-all';
import { useNewItems } from './use-new-items';
import { useRefresh } from './use-refresh';
import { useOpenItem, useScope } from './use-scope';
import { useVisit } from './visits';

/** The right pane: a list of items, in which they open. */
export function ReaderPage() {
  const scope = useScope();
  const { t } = useTranslation(['reading', 'common']);
  const { isNarrow } = usePanes();
  const { density } = usePreferences();
  const { data: subscriptions, isError: isWithoutFeeds } = useQuery(subscriptionsQuery);
  const { data: folders } = useQuery(foldersQuery);
  const place = usePlace(scope, subscriptions, folders);
  usePageTitle(place.title);

  const client = useQueryClient();
  const { visit, leaving } = useVisit(scope, () => leave(client, scope));
  const list = useList(scope);
  const [openId, open] = useOpenItem();
  // Another list begins anew: nothing chosen. The bar stays, and with it the focus of whoever changes what is shown.
  const [chosen, setChosen] = useState({ scope, id: openId ?? visit?.chosenId ?? null });
  const choose = useCallback((id: string | null) => setChosen({ scope, id }), [scope]);
  const selectedId = openId ?? (chosen.scope === scope ? chosen.id : (visit?.chosenId ?? null));
  const openAt = list.items.findIndex((item) => item.id === openId);
  const known = list.items[openAt];
  const neighbours = { previous: list.items[openAt - 1] ?? null, next: (known && list.items[openAt + 1]) ?? null };
  const show = useCallback(
    (id: string | null) => {
      open(id);
      if (id) choose(id);
    },
    [open, choose],
  );
  const actions = useItemActions(openId, show);
  const isPage = openId !== null && (isNarrow || (list.isLoaded && !known));
  // Going on by keys or buttons, the next ones are there in time.
  useEffect(() => {
    if (openAt >= 0 && openAt >= list.items.length - 5) list.more();
  }, [openAt, list.items.length, list.more]);

  const { count: newCount, heard, clear } = useNewItems(scope, subscriptions ?? [], visit);
  useEffect(() => {
    Object.assign(leaving, { heard, chosenId: selectedId });
  }, [leaving, heard, selectedId]);
  const reload = () => {
    clear();
    show(null);
    choose(null);
    document.querySelector('#main section')?.scrollTo({ top: 0 });
    return list.reload();
  };
  // Said when the first ones come, not again with every feed that brings more.
  const hasNew = newCount > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (hasNew) say(t('list.newLong', { count: newCount }));
  }, [hasNew]);
  // Nothing is under anybody's eyes yet.
  const isEmpty = list.isLoaded && list.items.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something comes into an empty list
  useEffect(() => {
    if (isEmpty && newCount > 0) void reload();
  }, [isEmpty, newCount]);
  // The connection is back; what came meanwhile is brought in when somebody asks.
  const isOutdated = useConnection() === 'online' && list.isKept;
  const refresh = useStable(useRefresh(scope, reload));
  const markAll = useMarkAll();
  // Before the list is there nobody can mean what is in it.
  const onMarkAll = useStable(() => list.isLoaded && markAll({ scope, asOf: list.asOf, items: list.items }));
  useItemKeys({
    items: list.items,
    selectedId,
    openId,
    choose,
    open: show,
    actions,
    reload: refresh,
    markAll: onMarkAll,
  });

  const feeds = useFeeds(subscriptions);
  const feedOf = useCallback((item: Item) => feeds.get(item.feed_id) ?? { title: '', icon: null }, [feeds]);
  const isOneFeed = scope.place.kind === 'feed';
  // Rows come with the names of their feeds: put in afterwards, they would push the rest of the line aside.
  const isReady = list.isLoaded && (isOneFeed || subscriptions !== undefined || isWithoutFeeds);

  if (place.isMissing) {
    return (
      <EmptyState
        isPage
        title={place.title}
        className="pt-[20dvh]"
        action={
          <Button asChild>
            <Link to="/" search={{ filter: 'all' }}>
              {t('list.toAll')}
            </Link>
          </Button>
        }
      />
    );
  }
  return (
    <div className="relative flex h-full flex-col">
      <div inert={isPage} className="flex min-h-0 flex-1 flex-col">
        <ListBar
          title={place.title}
          unread={place.unread}
          scope={scope}
          isNarrow={isNarrow}
          onReload={refresh}
          onMarkAll={onMarkAll}
        />
        {place.subscription && <FeedNotice subscription={place.subscription} />}
        <div className="relative min-h-0 flex-1">
          <div className="pointer-events-none absolute inset-x-0 top-3 z-5 flex justify-center">
            {((newCount > 0 && !isEmpty) || isOutdated) && (
              <Button
                look="primary"
                size="sm"
                className="pointer-events-auto animate-rise rounded-full px-4 shadow-float"
                aria-label={newCount > 0 ? t('list.newLong', { count: newCount }) : undefined}
                onClick={() => void reload()}
              >
                <span className="tabular">{newCount > 0 ? t('list.new', { count: newCount }) : t('list.latest')}</span>
              </Button>
            )}
          </div>
          {!list.isLoaded && list.error && <ErrorState error={list.error} onRetry={() => void list.reload()} />}
          {!isReady && !list.error && <ListSkeleton />}
          {isReady && isEmpty && <ListEmpty filter={scope.filter} hasFeeds={subscriptions?.length !== 0} />}
          {isReady && list.items.length > 0 && (
            <ItemList
              key={JSON.stringify(scope)}
              items={list.items}
              startAt={visit?.top ?? 0}
              onLeave={(top) => {
                leaving.top = top;
              }}
              feedOf={isOneFeed ? noFeed : feedOf}
              selectedId={selectedId}
              openId={isPage ? null : openId}
              renderOpen={(item) => (
                <OpenItem item={item} feed={feedOf(item)} neighbours={neighbours} actions={actions} onOpen={show} />
              )}
              onChoose={choose}
              actions={actions}
              density={density}
              isNarrow={isNarrow}
              hasMore={list.hasMore}
              onNearEnd={list.more}
              footer={
                list.moreError ? (
                  <ErrorState error={list.moreError} onRetry={list.more} isInline className="m-4" />
                ) : list.hasMore ? (
                  <ListSkeleton rows={2} />
                ) : (
                  <p className="py-8 text-center text-ink-3 text-sm">{t(list.isKept ? 'list.endKept' : 'list.end')}</p>
                )
              }
            />
          )}
        </div>
      </div>
      {isPage && (
        <ArticlePage
          id={openId}
          known={known}
          feedOf={feedOf}
          neighbours={neighbours}
          actions={actions}
          onOpen={show}
        />
      )}
    </div>
  );
}

const noFeed = () => null;
