import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { text } from '../search-params';
import { rootRoute } from './root';

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search.token) }),
  component: lazyPart(() => import('@/features/sign-in/setup-page'), 'SetupPage', 'whole'),
});
