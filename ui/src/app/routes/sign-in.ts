import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { oneOf, text } from '../search-params';
import { rootRoute } from './root';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `return_to`: the page to show afterwards; `error`: the server's code for a failed sign-in; `as=new`: the sign-up form. */
  validateSearch: (search: Record<string, unknown>): { return_to?: string; error?: string; as?: 'new' } => ({
    return_to: text(search.return_to),
    error: text(search.error),
    as: oneOf(search.as, ['new']),
  }),
  component: lazyPart(() => import('@/features/sign-in/sign-in-page'), 'SignInPage', 'whole'),
});
