import { getConnection, onConnection } from '@/shared/lib/connection';
import { workerUrl } from '@/shared/lib/trusted';
import type { AppRouter } from './router';

const HOUR_MS = 60 * 60 * 1_000;
/** Pause before a failed installation is tried again; it doubles each time, up to the last one. */
const FIRST_TRY_MS = 5_000;
const LAST_TRY_MS = 10 * 60 * 1_000;

/**
 * Registers the service worker, which stores the pages for use without a connection. Only in builds: `npm run dev` has none.
 * Browsers support service workers on https and localhost. Elsewhere, pages do not open without a connection.
 */
export function startWorker(router: AppRouter): void {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!import.meta.env.PROD || !container) return;
  loadNewVersion(container, router);
  let registration: ServiceWorkerRegistration | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = async () => {
    clearTimeout(timer);
    try {
      registration = await container.register(workerUrl(), { updateViaCache: 'none' });
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'redundant') startLater();
      });
    } catch {
      startLater();
    }
  };
  // The worker stores all files or none. Without it, pages need a connection.
  const startIfMissing = () => {
    if (getConnection() === 'online' && !registration?.active) void start();
  };
  const startLater = () => {
    clearTimeout(timer);
    timer = setTimeout(startIfMissing, Math.min(FIRST_TRY_MS * 2 ** failures++, LAST_TRY_MS));
  };
  // If the connection was lost during the installation, it starts again when the connection is back.
  onConnection(startIfMissing);
  checkForNewVersion(() => registration);
  if (document.readyState === 'complete') void start();
  else window.addEventListener('load', start, { once: true });
  // Asks the browser to keep unsent changes when the disk is full.
  if (matchMedia('(display-mode: standalone)').matches) void navigator.storage?.persist?.();
}

/** When a newer version has taken over, the next navigation loads it. Until then the open page works as it is. */
function loadNewVersion(container: ServiceWorkerContainer, router: AppRouter): void {
  const wasControlled = container.controller !== null;
  let isOutdated = false;
  container.addEventListener('controllerchange', () => {
    // The first worker has the version of the page.
    isOutdated ||= wasControlled;
  });
  router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
    if (isOutdated && pathChanged) location.assign(toLocation.href);
  });
}

/** Checks for a newer version once an hour: browsers check only when a page is opened, and this one may stay open for weeks. */
function checkForNewVersion(getRegistration: () => ServiceWorkerRegistration | undefined): void {
  let last = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - last < HOUR_MS) return;
    last = Date.now();
    getRegistration()
      ?.update()
      .catch(() => {});
  });
}
