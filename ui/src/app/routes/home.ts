import { createRoute, redirect } from '@tanstack/react-router';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { lazyPart } from '@/shared/ui/lazy-part';
import { askForList, listSearch, scopeOf } from '../list-search';
import { deskRoute } from './desk';

/** Everything, of all feeds. */
export const homeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/',
  validateSearch: listSearch,
  // Whoever has no feeds yet is helped to some; a link with a search (`/?filter=all`) goes to the empty list all the same.
  loaderDeps: ({ search }) => ({
    isBare: Object.values(search).every((value) => value === undefined),
    scope: scopeOf({ kind: 'all' }, search),
  }),
  loader: async ({ context, deps, cause }) => {
    askForList(context, deps.scope, cause);
    if (!deps.isBare || cause === 'preload') return;
    const { queryClient } = context;
    const subscriptions = await queryClient.ensureQueryData(subscriptionsQuery).catch(() => null);
    if (subscriptions?.length === 0) throw redirect({ to: '/welcome' });
  },
  component: lazyPart(() => import('@/features/reader/reader-page'), 'ReaderPage', 'page'),
});
