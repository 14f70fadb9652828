import { createRoute, redirect } from '@tanstack/react-router';
import { text } from '../search-params';
import { deskRoute } from './desk';

/** The server comes back to `/settings?error=…` when linking a provider failed. */
export const settingsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { error?: string } => ({ error: text(search.error) }),
  beforeLoad: ({ search }) => {
    const section = search.error ? 'sign-in' : 'appearance';
    throw redirect({ to: '/settings/$section', params: { section }, search: { error: search.error }, replace: true });
  },
});
