import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { askForList, listSearch, scopeOf } from '../list-search';
import { deskRoute } from './desk';

export const feedRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/feeds/$feedId',
  validateSearch: listSearch,
  loaderDeps: ({ search: { filter, order } }) => ({ filter, order }),
  loader: ({ context, params, deps, cause }) =>
    askForList(context, scopeOf({ kind: 'feed', id: params.feedId }, deps), cause),
  component: lazyPart(() => import('@/features/reader/reader-page'), 'ReaderPage', 'page'),
});
