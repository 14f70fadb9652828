import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '../list-search';
import { deskRoute } from './desk';

export const feedRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/feeds/$feedId',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('@/features/reader/reader-page'), 'ReaderPage'),
});
