import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Item, type ItemPages, itemsQuery, type Scope } from '@/shared/api/items';

/** What a list begins anew with: its first page, and of that what still belongs there. */
export function trimmed(data: ItemPages, { filter }: Pick<Scope, 'filter'>): ItemPages {
  const belongs = (item: Item) => filter === 'all' || (filter === 'unread' ? !item.is_read : item.is_starred);
  const pages = data.pages.slice(0, 1).map((page) => ({ ...page, items: page.items.filter(belongs) }));
  return { pages, pageParams: data.pageParams.slice(0, 1) };
}

/** Makes a list ready to begin anew; what it had is shown until the rest is there. */
export function leave(client: QueryClient, scope: Scope) {
  const { queryKey } = itemsQuery(scope);
  client.setQueryData<ItemPages>(queryKey, (data) => data && trimmed(data, scope));
  void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

/** The items of a list. What was read stays in it until it begins anew. */
export function useList(scope: Scope) {
  const client = useQueryClient();
  const query = useInfiniteQuery(itemsQuery(scope));

  const reload = useCallback(async () => {
    leave(client, scope);
    await client.refetchQueries({ queryKey: itemsQuery(scope).queryKey, exact: true });
  }, [client, scope]);

  const { data, hasNextPage, isFetchNextPageError, fetchNextPage } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, fetchNextPage]);
  return {
    items,
    isLoaded: data !== undefined,
    error: query.error,
    hasMore: hasNextPage,
    moreError: isFetchNextPageError ? query.error : null,
    /** The latest arrival that can have been shown. */
    asOf: data?.pages[0]?.as_of ?? null,
    /** Put together from what was kept: the server did not answer. */
    isKept: data?.pages[0]?.is_kept === true,
    more,
    reload,
  };
}
