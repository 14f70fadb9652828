import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listSearch } from '../list-search';
import { deskRoute } from './desk';

export const folderRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/folders/$folderId',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('@/features/reader/reader-page'), 'ReaderPage'),
});
