import { createRoute } from '@tanstack/react-router';
import { meQuery } from '@/shared/api/me';
import { foldersQuery, subscriptionsQuery } from '@/shared/api/subscriptions';
import { lazyPart } from '@/shared/ui/lazy-part';
import { Crashed } from '../crashed';
import { LayoutSkeleton } from '../layout-skeleton';
import { rootRoute } from './root';

/** Around every page of a signed-in user: the sidebar, and the dialogs that open over any page. */
export const layoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'layout',
  /** `add`: the dialog that adds a feed, with this address in it; `edit`: the settings of this feed. */
  validateSearch: (search: Record<string, unknown>): { add?: string; edit?: string } => ({
    add: typeof search.add === 'string' ? search.add : undefined,
    edit: typeof search.edit === 'string' ? search.edit : undefined,
  }),
  // Requested while the code of the page loads. The route does not wait for the answers.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(meQuery);
    void queryClient.prefetchQuery(subscriptionsQuery);
    void queryClient.prefetchQuery(foldersQuery);
  },
  component: lazyPart(() => import('../layout'), 'Layout', 'whole'),
  pendingComponent: LayoutSkeleton,
  errorComponent: Crashed,
});
