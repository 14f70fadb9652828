import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '@/shared/ui/lazy-part';
import { oneOf, text } from '../search-params';
import { rootRoute } from './root';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `return_to`: where one was; `error`: why a provider sent one back, by the server's code; `as=new`: to register. */
  validateSearch: (search: Record<string, unknown>): { return_to?: string; error?: string; as?: 'new' } => ({
    return_to: text(search.return_to),
    error: text(search.error),
    as: oneOf(search.as, ['new']),
  }),
  component: lazyPart(() => import('@/features/sign-in/sign-in-page'), 'SignInPage', 'whole'),
});
