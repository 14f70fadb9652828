import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../search-params';
import { rootRoute } from './root';

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search.token) }),
  component: lazyRouteComponent(() => import('@/features/sign-in/setup-page'), 'SetupPage'),
});
