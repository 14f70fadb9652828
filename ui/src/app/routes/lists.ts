import type { QueryClient } from '@tanstack/react-query';
import { createRoute, redirect } from '@tanstack/react-router';
import { itemsQuery, type Scope } from '@/shared/api/items';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { lazyPart } from '@/shared/ui/lazy-part';
import { type ListSearch, listSearch } from '../search-params';
import { layoutRoute } from './layout';

const list = {
  getParentRoute: () => layoutRoute,
  validateSearch: listSearch,
  component: lazyPart(() => import('@/features/reader/reader-page'), 'ReaderPage', 'page'),
};
const loaderDeps = ({ search: { filter, order } }: { search: ListSearch }) => ({ filter, order });

type Loading = { context: { queryClient: QueryClient }; deps: Omit<ListSearch, 'item'>; cause: string };

/** Requests a list while the code of the page loads, but not when the pointer is only over a link. */
function askFor({ context, deps: { filter = 'all', order = 'newest' }, cause }: Loading, place: Scope['place']): void {
  if (cause !== 'preload') void context.queryClient.prefetchInfiniteQuery(itemsQuery({ place, filter, order }));
}

export const feedRoute = createRoute({
  ...list,
  path: '/feeds/$feedId',
  loaderDeps,
  loader: (loading) => askFor(loading, { kind: 'feed', id: loading.params.feedId }),
});

export const folderRoute = createRoute({
  ...list,
  path: '/folders/$folderId',
  loaderDeps,
  loader: (loading) => askFor(loading, { kind: 'folder', id: loading.params.folderId }),
});

/** All items. A user without feeds is sent to the welcome page, unless the address names a list. */
export const homeRoute = createRoute({
  ...list,
  path: '/',
  loaderDeps: ({ search }) => ({
    ...loaderDeps({ search }),
    isBare: Object.values(search).every((value) => value === undefined),
  }),
  loader: async (loading) => {
    askFor(loading, { kind: 'all' });
    if (!loading.deps.isBare || loading.cause === 'preload') return;
    const subscriptions = await loading.context.queryClient.ensureQueryData(subscriptionsQuery).catch(() => null);
    if (subscriptions?.length === 0) throw redirect({ to: '/welcome' });
  },
});
