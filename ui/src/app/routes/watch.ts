import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { PagePending } from '../page-pending';
import { layoutRoute } from './layout';

/** All watched sites. */
export const watchRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/watch',
  component: lazyPart(() => import('@/features/watch/watch-page'), 'WatchPage', 'page'),
  pendingComponent: PagePending,
});

/** One watched site. */
export const watchBlogRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/watch/$id',
  component: lazyPart(() => import('@/features/watch/blog-page'), 'BlogPage', 'page'),
  pendingComponent: PagePending,
});
