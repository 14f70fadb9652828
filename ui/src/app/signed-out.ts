import type { QueryClient } from '@tanstack/react-query';
import type { AppRouter } from './router';

/** Pages for people who are not signed in. */
const open = ['/sign-in', '/setup'];

/** Leads to the sign-in page, and from there back to where one was. */
export function goToSignIn(router: AppRouter, queryClient: QueryClient): void {
  const { pathname, href } = router.latestLocation;
  if (open.includes(pathname)) return;
  const return_to = href === '/' ? undefined : href;
  void router.navigate({ to: '/sign-in', search: { return_to }, replace: true }).then(() => {
    // Whatever the sign-in page does not look at: it was the last person's.
    queryClient.removeQueries({ type: 'inactive' });
  });
}
