import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { type Item, type ItemPages, itemsQuery, type Scope } from '@/shared/api/items';

/** What a list has left when it is left: its first page, and of that what still belongs there. */
export function trimmed(data: ItemPages, { filter }: Pick<Scope, 'filter'>): ItemPages {
  const belongs = (item: Item) => filter === 'all' || (filter === 'unread' ? !item.is_read : item.is_starred);
  const pages = data.pages.slice(0, 1).map((page) => ({ ...page, items: page.items.filter(belongs) }));
  return { pages, pageParams: data.pageParams.slice(0, 1) };
}

function leave(client: QueryClient, scope: Scope) {
  const { queryKey } = itemsQuery(scope);
  client.setQueryData<ItemPages>(queryKey, (data) => data && trimmed(data, scope));
  void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

/** The items of a list. What was read stays in it until it is left or loaded anew. */
export function useList(scope: Scope) {
  const client = useQueryClient();
  const query = useInfiniteQuery(itemsQuery(scope));
  useEffect(() => () => leave(client, scope), [client, scope]);

  const reload = useCallback(async () => {
    leave(client, scope);
    await client.refetchQueries({ queryKey: itemsQuery(scope).queryKey, exact: true });
  }, [client, scope]);

  const { data, hasNextPage, isFetchNextPageError, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    items,
    isLoaded: data !== undefined,
    error: query.error,
    isReloading: query.isRefetching && !isFetchingNextPage,
    hasMore: hasNextPage,
    moreError: isFetchNextPageError ? query.error : null,
    /** The latest arrival that can have been shown. */
    asOf: data?.pages[0]?.as_of ?? null,
    more,
    reload,
  };
}
