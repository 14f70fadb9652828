import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../search-params';
import { deskRoute } from './desk';

export const settingsSectionRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/settings/$section',
  validateSearch: (search: Record<string, unknown>): { error?: string } => ({ error: text(search.error) }),
  component: lazyRouteComponent(() => import('@/features/settings/settings-page'), 'SettingsPage'),
});
