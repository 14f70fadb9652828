import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { oneOf, text } from '../search-params';
import { layoutRoute } from './layout';

/** The owner's page. */
export const healthRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/health',
  validateSearch: (search: Record<string, unknown>): HealthSearch => ({
    status: oneOf(search.status, ['active', 'error', 'stopped']),
    jobs: oneOf(search.jobs, ['queued', 'processing', 'succeeded', 'failed']),
    kind: text(search.kind),
    range: oneOf(search.range, ['day', 'week', 'month']),
  }),
  component: lazyPart(() => import('@/features/health/health-page'), 'HealthPage', 'page'),
  pendingComponent: PagePending,
});

/** Which feeds and which jobs are listed, and how far back the charts go. */
type HealthSearch = {
  status?: 'active' | 'error' | 'stopped';
  jobs?: 'queued' | 'processing' | 'succeeded' | 'failed';
  kind?: string;
  range?: 'day' | 'week' | 'month';
};
