import { getConnection, onConnection } from '@/shared/lib/connection';
import { workerUrl } from '@/shared/lib/trusted';
import type { AppRouter } from './router';

const HOUR_MS = 60 * 60 * 1_000;
/** Pause before a failed installation is tried again; it doubles each time, up to the last one. */
const FIRST_TRY_MS = 5_000;
const LAST_TRY_MS = 10 * 60 * 1_000;

/**
 * Has the service worker keep the pages for the time without a connection. Only where it was built, never while one works on
 * the client; browsers know it on https and this machine alone, and everywhere else everything but opening a page works too.
 */
export function startWorker(router: AppRouter): void {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!import.meta.env.PROD || !container) return;
  goOnWithTheNext(container, router);
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
  // The worker keeps all files or none. The pages work without it, as long as there is a connection.
  const startIfMissing = () => {
    if (getConnection() === 'online' && !registration?.active) void start();
  };
  const startLater = () => {
    clearTimeout(timer);
    timer = setTimeout(startIfMissing, Math.min(FIRST_TRY_MS * 2 ** failures++, LAST_TRY_MS));
  };
  // When the connection broke off meanwhile, it starts again as soon as it is back.
  onConnection(startIfMissing);
  lookForTheNext(() => registration);
  if (document.readyState === 'complete') void start();
  else window.addEventListener('load', start, { once: true });
  // What waits to be sent is not to be thrown away when the disk is full.
  if (matchMedia('(display-mode: standalone)').matches) void navigator.storage?.persist?.();
}

/** A newer version is there: whoever goes somewhere else goes there with it, and nothing breaks meanwhile. */
function goOnWithTheNext(container: ServiceWorkerContainer, router: AppRouter): void {
  const wasControlled = container.controller !== null;
  let isOutdated = false;
  container.addEventListener('controllerchange', () => {
    // The first one takes over a page of its own version.
    isOutdated ||= wasControlled;
  });
  router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
    if (isOutdated && pathChanged) location.assign(toLocation.href);
  });
}

/** Browsers look when a page is opened; this one may stay open for weeks. */
function lookForTheNext(getRegistration: () => ServiceWorkerRegistration | undefined): void {
  let last = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - last < HOUR_MS) return;
    last = Date.now();
    getRegistration()
      ?.update()
      .catch(() => {});
  });
}
