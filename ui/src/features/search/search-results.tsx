import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useOverlay } from '@/shared/api/items';
import { useSubscriptions } from '@/shared/api/subscriptions';
import { ArticlePage } from '@/shared/content/article-page';
import { OpenItem } from '@/shared/content/open-item';
import { useFeedOf } from '@/shared/items/use-feed-of';
import { useItemList } from '@/shared/items/use-item-list';
import { usePanes } from '@/shared/layout/panes';
import { cn } from '@/shared/lib/cn';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryList } from '@/shared/ui/query-list';
import { say } from '@/shared/ui/say';
import { Bone, Skeleton } from '@/shared/ui/skeleton';
import { HitRow } from './hit-row';
import { searchQuery } from './search-query';

/** The results, the newest first. They open in the list, on phones on a page of their own. */
export function SearchResults({ query }: { query: string }) {
  const { t } = useTranslation('reader');
  const { isNarrow } = usePanes();
  const found = useInfiniteQuery(searchQuery(query));
  const overlay = useOverlay();
  const hits = found.data?.pages.flatMap((page) => page.items.map(overlay)) ?? [];
  const feedOf = useFeedOf(useSubscriptions().data);
  const { openId, known, neighbours, selectedId, open, choose, actions } = useItemList({
    items: hits,
    list: query,
    reload: () => void found.refetch(),
  });
  const opened = { neighbours, actions, onOpen: open };
  const isPage = openId !== null && isNarrow;

  const count = hits.length;
  const outcome = found.hasNextPage ? t('search.foundMore', { n: count }) : t('search.found', { count });
  const words = count === 0 ? t('search.noneTitle', { query }) : outcome;
  const isSettled = found.data !== undefined && !found.isPlaceholderData;
  useEffect(() => {
    if (isSettled) say(words);
  }, [isSettled, words]);
  return (
    <>
      <div inert={isPage} className={cn('transition-opacity', found.isPlaceholderData && 'opacity-60')}>
        <QueryList
          query={found}
          loading={<ResultsSkeleton />}
          isEmpty={() => count === 0}
          empty={<EmptyState icon={<SearchX aria-hidden />} title={words} text={t('search.noneText')} />}
          className="m-5"
        >
          {({ pages }) => (
            <>
              <p className="px-5 pt-3 pb-1 text-ink-3 text-sm max-md:px-4">{outcome}</p>
              <ul
                aria-label={t('search.results')}
                onFocus={({ target }) => choose(target.closest<HTMLElement>('[data-item]')?.dataset.item ?? null)}
              >
                {hits.map((hit) => (
                  <HitRow
                    key={hit.id}
                    hit={hit}
                    terms={pages[0]?.terms ?? []}
                    feed={feedOf(hit)}
                    isChosen={hit.id === selectedId && !isPage}
                    onOpen={open}
                  >
                    {hit.id === openId && !isNarrow ? <OpenItem item={hit} feed={feedOf(hit)} {...opened} /> : null}
                  </HitRow>
                ))}
              </ul>
            </>
          )}
        </QueryList>
      </div>
      {isPage && <ArticlePage id={openId} known={known} feedOf={feedOf} {...opened} />}
    </>
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
