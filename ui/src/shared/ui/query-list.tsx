import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '../lib/cn';
import { Button } from './button';
import { ErrorState } from './error-state';
import { Rows } from './section';
import { SkeletonLines } from './skeleton';

/** What it needs of a query, of one page or of several. */
type Query<T> = {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
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
  /** Of an error, and of the button for the next page. */
  className?: string;
  children: (data: T) => ReactNode;
};

const hasNothing = (data: unknown) => Array.isArray(data) && data.length === 0;

/** The four states of a query (loading, error with a retry, empty, content), and a button for the next page. */
export function QueryList<T>(props: QueryListProps<T>) {
  const { query, loading = 3, empty, isEmpty = hasNothing, className, children } = props;
  const { t } = useTranslation();
  const { data, error, hasNextPage, isFetchNextPageError } = query;
  const more = () => query.fetchNextPage?.();
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => query.refetch()} isInline className={className} />;
    return typeof loading === 'number' ? <SkeletonLines lines={loading} /> : loading;
  }
  return (
    <>
      {isEmpty(data) ? typeof empty === 'string' ? <p className="text-ink-2">{empty}</p> : empty : children(data)}
      {isFetchNextPageError && (
        <ErrorState error={error} onRetry={more} isInline className={cn('by-default:mt-3', className)} />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <Button className={cn('by-default:mt-3', className)} isBusy={query.isFetchingNextPage} onClick={more}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
}

type QueryRowsProps<T, One> = Omit<QueryListProps<T>, 'isEmpty' | 'children'> & {
  /** The entries of an answer. */
  of: (data: T) => readonly One[];
  /** A row with its key. */
  children: (one: One) => ReactNode;
};

/** A query whose entries are rows. */
export function QueryRows<T, One>({ of, children, ...rest }: QueryRowsProps<T, One>) {
  return (
    <QueryList {...rest} isEmpty={(data) => of(data).length === 0}>
      {(data) => <Rows>{of(data).map(children)}</Rows>}
    </QueryList>
  );
}
