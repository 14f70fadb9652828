import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { layoutRoute } from './layout';

export const welcomeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/welcome',
  component: lazyPart(() => import('@/features/welcome/welcome-page'), 'WelcomePage', 'page'),
  pendingComponent: PagePending,
});
