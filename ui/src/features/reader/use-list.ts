import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { type ItemPage, type ItemPages, itemsQuery, type Scope, useItems } from '@/shared/api/items';
import { outbox } from '@/shared/api/outbox';
import { filters, overlayItem } from '@/shared/offline/overlay';

/** The start of a list: its first page, without items that no longer match the filter. */
export function trimmed(data: ItemPages, { filter }: Pick<Scope, 'filter'>): ItemPages {
  const itemsOf = ({ items, revision }: ItemPage) =>
    items.filter((item) => filters[filter](overlayItem(item, outbox.get(), revision)));
  const pages = data.pages.slice(0, 1).map((page) => ({ ...page, items: itemsOf(page) }));
  return { pages, pageParams: data.pageParams.slice(0, 1) };
}

/** Starts a list anew. Its first page is shown until the answer is there. */
async function restart(client: QueryClient, scope: Scope): Promise<void> {
  const { queryKey } = itemsQuery(scope);
  client.setQueryData<ItemPages>(queryKey, (data) => data && trimmed(data, scope));
  await client.refetchQueries({ queryKey, exact: true });
}

/** The items of a list. Items that were read stay in it until it starts anew. */
export function useList(scope: Scope, { isAnew, at }: { isAnew: boolean; at: number }) {
  const client = useQueryClient();
  const query = useItems(scope);
  const reload = useCallback(() => restart(client, scope), [client, scope]);
  useEffect(() => {
    if (isAnew) void restart(client, scope);
  }, [client, scope, isAnew]);

  const { hasNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isOld = isAnew && query.dataUpdatedAt < at;
  const data = useMemo(
    () => (query.data && isOld ? trimmed(query.data, scope) : query.data),
    [query.data, isOld, scope],
  );
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, fetchNextPage]);
  const first = data?.pages[0];
  return {
    items,
    isLoaded: data !== undefined,
    isReloading: query.isRefetching && !query.isFetchingNextPage,
    error: query.error,
    hasMore: hasNextPage,
    moreError: isFetchNextPageError ? query.error : null,
    /** The latest arrival that can have been shown. */
    asOf: first?.as_of ?? null,
    /** Made of stored items, because the server did not answer. */
    isCached: first?.is_cached === true,
    added: first?.added ?? NONE,
    more,
    reload,
  };
}

const NONE: NonNullable<ItemPage['added']> = {};
