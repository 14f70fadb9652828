import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ArticlePage } from '@/shared/content/article-page';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { FeedNotice } from './feed-notice';
import { ItemList } from './item-list';
import { ListBar } from './list-bar';
import { ListEmpty } from './list-empty';
import { ListSkeleton } from './list-skeleton';
import { type Reader, useReader } from './use-reader';

/** The right pane: a list of items, in which they open. */
export function ReaderPage() {
  const reader = useReader();
  const { place, list, scope, isPage, openId } = reader;
  if (place.isMissing) return <Missing title={place.title} />;
  return (
    <div className="relative flex h-full flex-col">
      <div inert={isPage} className="flex min-h-0 flex-1 flex-col">
        <ListBar
          title={place.title}
          unread={place.unread}
          scope={scope}
          isNarrow={reader.isNarrow}
          onReload={reader.refresh}
          onMarkAll={reader.onMarkAll}
        />
        {place.subscription && <FeedNotice subscription={place.subscription} />}
        <div className="relative min-h-0 flex-1">
          <NewItems {...reader} />
          {!list.isLoaded && list.error && <ErrorState error={list.error} onRetry={() => void list.reload()} />}
          {!reader.isReady && !list.error && <ListSkeleton />}
          {reader.isReady && reader.isEmpty && <ListEmpty filter={scope.filter} hasFeeds={reader.hasFeeds} />}
          {reader.isReady && !reader.isEmpty && (
            <ItemList key={JSON.stringify(scope)} reader={reader}>
              <ListFooter list={list} />
            </ItemList>
          )}
        </div>
      </div>
      {isPage && openId !== null && (
        <ArticlePage
          id={openId}
          known={reader.known}
          feedOf={reader.feedOf}
          neighbours={reader.neighbours}
          actions={reader.actions}
          onOpen={reader.open}
        />
      )}
    </div>
  );
}

function ListFooter({ list }: { list: Reader['list'] }) {
  const { t } = useTranslation('reading');
  if (list.moreError) return <ErrorState error={list.moreError} onRetry={list.more} isInline className="m-4" />;
  if (list.hasMore) return <ListSkeleton rows={2} />;
  return <p className="py-8 text-center text-ink-3 text-sm">{t(list.isCached ? 'list.endKept' : 'list.end')}</p>;
}

/** The button that loads new items. */
function NewItems({ newCount: count, isOutdated, reload }: Pick<Reader, 'newCount' | 'isOutdated' | 'reload'>) {
  const { t } = useTranslation('reading');
  return (
    <div className="pointer-events-none absolute inset-x-0 top-3 z-5 flex justify-center">
      {(count > 0 || isOutdated) && (
        <Button
          look="primary"
          size="sm"
          className="pointer-events-auto animate-rise rounded-full px-4 shadow-float"
          aria-label={count > 0 ? t('list.newLong', { count }) : undefined}
          onClick={() => void reload()}
        >
          <span className="tabular">{count > 0 ? t('list.new', { count }) : t('list.latest')}</span>
        </Button>
      )}
    </div>
  );
}

function Missing({ title }: { title: string }) {
  const { t } = useTranslation('reading');
  return (
    <EmptyState
      isPage
      title={title}
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
