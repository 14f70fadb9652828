import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Item, useItemState, useOverlay } from '@/shared/api/items';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { ArticlePage } from '@/shared/content/article-page';
import { OpenItem } from '@/shared/content/open-item';
import type { RowActions } from '@/shared/content/row-parts';
import { useItemKeys } from '@/shared/keys/use-item-keys';
import { usePanes } from '@/shared/layout/panes';
import { cn } from '@/shared/lib/cn';
import { useStable } from '@/shared/lib/use-stable';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { say } from '@/shared/ui/say';
import { Bone, Skeleton } from '@/shared/ui/skeleton';
import { HitRow } from './hit-row';
import { searchQuery } from './search-query';

const NO_FEED = { title: '', icon: null };

/** The results, the newest first. They open in the list, on phones on a page of their own. */
export function SearchResults({ query, openId }: { query: string; openId?: string }) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const change = useItemState();
  const { isNarrow } = usePanes();
  const found = useInfiniteQuery(searchQuery(query));
  const subscriptions = useQuery(subscriptionsQuery);
  const feeds = useMemo(
    () =>
      new Map(
        subscriptions.data?.map((one) => [one.feed_id, { title: one.feed_title, icon: one.favicon_url ?? null }]),
      ),
    [subscriptions.data],
  );
  const overlay = useOverlay();
  const hits = found.data?.pages.flatMap((page) => page.items.map(overlay)) ?? [];
  const { hasNextPage, isFetching, fetchNextPage, isError } = found;
  // A page can be empty and not be the last one.
  const isEmptySoFar = found.data !== undefined && hits.length === 0 && hasNextPage;
  useEffect(() => {
    if (isEmptySoFar && !isFetching && !isError) void fetchNextPage();
  }, [isEmptySoFar, isFetching, isError, fetchNextPage]);

  const [chosenId, choose] = useState<string | null>(openId ?? null);
  const open = useStable((id: string | null) => {
    if (id !== null) {
      choose(id);
      change(id, { is_read: true });
    }
    const isFirst = id !== null && !openId;
    void navigate({ to: '/search', search: { q: query, item: id ?? undefined }, replace: !isFirst });
  });
  const actions = useMemo<RowActions>(
    () => ({
      open,
      setRead: (id, is_read) => change(id, { is_read }),
      setStarred: (id, is_starred) => change(id, { is_starred }),
    }),
    [change, open],
  );
  useItemKeys({
    items: hits,
    selectedId: openId ?? chosenId,
    openId: openId ?? null,
    choose,
    open,
    actions,
    reload: () => void found.refetch(),
  });
  const count = hits.length;
  const isSettled = found.data !== undefined && !found.isPlaceholderData && !isEmptySoFar;
  const outcome = hasNextPage ? t('search.foundMore', { n: count }) : t('search.found', { count });
  const words = count === 0 ? t('search.noneTitle', { query }) : outcome;
  useEffect(() => {
    if (isSettled) say(words);
  }, [isSettled, words]);

  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => found.refetch()} />;
  const isOutdated = found.isPlaceholderData && hits.length === 0;
  if (!found.data || isEmptySoFar || isOutdated) return <ResultsSkeleton />;
  if (hits.length === 0) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t('search.noneTitle', { query })} text={t('search.noneText')} />
    );
  }
  const terms = found.data.pages[0]?.terms ?? [];
  const feedOf = (item: Item) => feeds.get(item.feed_id) ?? NO_FEED;
  const at = hits.findIndex((hit) => hit.id === openId);
  const opened = { neighbours: { previous: hits[at - 1] ?? null, next: hits[at + 1] ?? null }, actions, onOpen: open };
  return (
    <div className={cn('transition-opacity', found.isPlaceholderData && 'opacity-60')}>
      <p className="px-5 pt-3 pb-1 text-ink-3 text-sm max-md:px-4">{outcome}</p>
      <ul
        aria-label={t('search.results')}
        onFocus={({ target }) => choose(target.closest<HTMLElement>('[data-item]')?.dataset.item ?? null)}
      >
        {hits.map((hit) => (
          <HitRow key={hit.id} hit={hit} terms={terms} feed={feedOf(hit)} isChosen={hit.id === chosenId} onOpen={open}>
            {hit.id === openId && !isNarrow ? <OpenItem item={hit} feed={feedOf(hit)} {...opened} /> : null}
          </HitRow>
        ))}
      </ul>
      {openId && isNarrow && <ArticlePage id={openId} known={hits[at]} feedOf={feedOf} {...opened} />}
      {found.error && <ErrorState error={found.error} onRetry={() => fetchNextPage()} isInline className="m-5" />}
      {hasNextPage && (
        <div className="flex justify-center py-6">
          <Button onClick={() => fetchNextPage()} isBusy={found.isFetchingNextPage}>
            {t('search.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

function ResultsSkeleton() {
  return (
    <Skeleton>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} className="space-y-2.5 border-line border-b px-5 py-4 max-md:px-4">
          <Bone className="w-2/3" />
          <Bone className="w-11/12" />
          <Bone className="w-32" />
        </div>
      ))}
    </Skeleton>
  );
}
