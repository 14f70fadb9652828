import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { text } from '../search-params';
import { layoutRoute } from './layout';

const withError = {
  getParentRoute: () => layoutRoute,
  validateSearch: (search: Record<string, unknown>): { error?: string } => ({ error: text(search.error) }),
};

/** The server redirects to `/settings?error=…` when linking a provider failed. */
export const settingsRoute = createRoute({
  ...withError,
  path: '/settings',
  beforeLoad: ({ search }) => {
    const section = search.error ? 'sign-in' : 'appearance';
    throw redirect({ to: '/settings/$section', params: { section }, search: { error: search.error }, replace: true });
  },
});

export const settingsSectionRoute = createRoute({
  ...withError,
  path: '/settings/$section',
  component: lazyPart(() => import('@/features/settings/settings-page'), 'SettingsPage', 'page'),
  pendingComponent: PagePending,
});
