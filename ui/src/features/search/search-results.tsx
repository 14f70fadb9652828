import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useItemState } from '@/shared/api/item-state';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { cn } from '@/shared/lib/cn';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { Bone, Skeleton } from '@/shared/ui/skeleton';
import { HitRow } from './hit-row';
import { searchQuery } from './search-query';

/** What was found, the newest first. */
export function SearchResults({ query, openId }: { query: string; openId?: string }) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const change = useItemState();
  const found = useInfiniteQuery(searchQuery(query));
  const subscriptions = useQuery(subscriptionsQuery);
  const feeds = useMemo(() => new Map(subscriptions.data?.map((one) => [one.feed_id, one])), [subscriptions.data]);
  const hits = found.data?.pages.flatMap((page) => page.items) ?? [];
  const { hasNextPage, isFetching, fetchNextPage, isError } = found;
  // A page can be empty and not be the last one.
  const isEmptySoFar = found.data !== undefined && hits.length === 0 && hasNextPage;
  useEffect(() => {
    if (isEmptySoFar && !isFetching && !isError) void fetchNextPage();
  }, [isEmptySoFar, isFetching, isError, fetchNextPage]);

  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => found.refetch()} />;
  const isOutdated = found.isPlaceholderData && hits.length === 0;
  if (!found.data || isEmptySoFar || isOutdated) return <ResultsSkeleton />;
  if (hits.length === 0) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t('search.noneTitle', { query })} text={t('search.noneText')} />
    );
  }
  const toggle = (id: string) => {
    const isOpening = id !== openId;
    if (isOpening) change(id, { is_read: true });
    void navigate({ to: '/search', search: { q: query, item: isOpening ? id : undefined }, replace: !isOpening });
  };
  const terms = found.data.pages[0]?.terms ?? [];
  const count = hits.length;
  return (
    <div className={cn('transition-opacity', found.isPlaceholderData && 'opacity-60')}>
      <p role="status" className="px-5 pt-3 pb-1 text-ink-3 text-sm max-md:px-4">
        {hasNextPage ? t('search.foundMore', { n: count }) : t('search.found', { count })}
      </p>
      <ul aria-label={t('search.results')}>
        {hits.map((hit) => {
          const feed = feeds.get(hit.feed_id);
          return (
            <HitRow
              key={hit.id}
              hit={hit}
              terms={terms}
              feed={{ title: feed?.feed_title ?? '', icon: feed?.favicon_url ?? null }}
              isOpen={hit.id === openId}
              onToggle={toggle}
              onStar={(id, is_starred) => change(id, { is_starred })}
            />
          );
        })}
      </ul>
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
