import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { deskRoute } from './desk';

export const welcomeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('@/features/welcome/welcome-page'), 'WelcomePage'),
});
