import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneOf, text } from '../search-params';
import { deskRoute } from './desk';

/** The owner's page. */
export const healthRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: '/health',
  validateSearch: (search: Record<string, unknown>): HealthSearch => ({
    status: oneOf(search.status, ['active', 'error', 'stopped']),
    jobs: oneOf(search.jobs, ['queued', 'processing', 'succeeded', 'failed']),
    kind: text(search.kind),
    range: oneOf(search.range, ['day', 'week', 'month']),
  }),
  component: lazyRouteComponent(() => import('@/features/health/health-page'), 'HealthPage'),
});

/** Which feeds and which jobs are listed, and how far back the charts go. */
type HealthSearch = {
  status?: 'active' | 'error' | 'stopped';
  jobs?: 'queued' | 'processing' | 'succeeded' | 'failed';
  kind?: string;
  range?: 'day' | 'week' | 'month';
};
