import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { text } from '../search-params';
import { deskRoute } from './desk';

export const settingsSectionRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/settings/$section',
  validateSearch: (search: Record<string, unknown>): { error?: string } => ({ error: text(search.error) }),
  component: lazyPart(() => import('@/features/settings/settings-page'), 'SettingsPage', 'page'),
  pendingComponent: PagePending,
});
