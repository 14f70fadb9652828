import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { text } from '../search-params';
import { layoutRoute } from './layout';

export const searchRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { q?: string; item?: string } => ({
    q: text(search.q),
    item: text(search.item),
  }),
  component: lazyPart(() => import('@/features/search/search-page'), 'SearchPage', 'page'),
  pendingComponent: PagePending,
});
