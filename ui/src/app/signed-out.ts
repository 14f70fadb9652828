import { sessionEnded } from '@/shared/offline/session-user';
import type { AppRouter } from './router';

/** Pages for visitors. */
const open = ['/sign-in', '/setup'];
let isLeaving = false;

/** Loads the sign-in page anew when the session has ended, and returns to this page after sign-in. */
export async function goToSignIn(router: AppRouter): Promise<void> {
  if (isLeaving) return;
  const { pathname, href } = router.latestLocation;
  isLeaving = !open.includes(pathname);
  await sessionEnded();
  if (isLeaving) location.replace(href === '/' ? '/sign-in' : `/sign-in?return_to=${encodeURIComponent(href)}`);
}
