import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { ErrorState } from './error-state';
import { SkeletonLines } from './skeleton';

/** What it needs of a query, of one page or of several. */
type Query<T> = {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
};

type QueryListProps<T> = {
  query: Query<T>;
  /** Lines of the skeleton, or another one. */
  loading?: number | ReactNode;
  /** Shown when the answer has nothing: a sentence or an `EmptyState`. */
  empty?: ReactNode;
  /** By default, a list without entries is empty. */
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
};

const hasNothing = (data: unknown) => Array.isArray(data) && data.length === 0;

/** The four states of a query (loading, error with a retry, empty, content), and a button for the next page. */
export function QueryList<T>({ query, loading = 3, empty, isEmpty = hasNothing, children }: QueryListProps<T>) {
  const { t } = useTranslation();
  const { data } = query;
  if (data === undefined) {
    if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} isInline />;
    return typeof loading === 'number' ? <SkeletonLines lines={loading} /> : loading;
  }
  return (
    <>
      {isEmpty(data) ? typeof empty === 'string' ? <p className="text-ink-2">{empty}</p> : empty : children(data)}
      {query.hasNextPage && (
        <Button className="mt-3" isBusy={query.isFetchingNextPage} onClick={() => query.fetchNextPage?.()}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
}
