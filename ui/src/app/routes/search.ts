import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../search-params';
import { deskRoute } from './desk';

export const searchRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { q?: string; item?: string } => ({
    q: text(search.q),
    item: text(search.item),
  }),
  component: lazyRouteComponent(() => import('@/features/search/search-page'), 'SearchPage'),
});
