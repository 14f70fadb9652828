import { apiOrigin, apiUrl } from '@/shared/lib/api-url';
import { applyChanges } from '@/shared/offline/apply-changes';
import type { Change } from '@/shared/offline/change';
import { OfflineDb } from '@/shared/offline/offline-db';
import { Outbox } from '@/shared/offline/outbox';
import { send } from '@/shared/offline/send';
import { cacheName, outdated, wayOf } from './policy';

/** Set by the build: the files of the pages, and a version that changes with any of them. */
declare const SHELL: readonly string[];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

type SyncEvent = ExtendableEvent & { tag: string };
type InstallEvent = ExtendableEvent & { addRoutes?: (routes: readonly object[]) => Promise<void> };

/** Without an answer within this time the stored page is shown. */
const PATIENCE_MS = 1_500;
const INDEX = '/index.html';
const shell: ReadonlySet<string> = new Set(SHELL);

self.addEventListener('install', (event) => {
  // Requests to the API bypass the worker where browsers support it. Through the worker, requests of a closing page are
  // sometimes lost.
  const routes = ['/api/*', '/auth/*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  }));
  event.waitUntil((event as InstallEvent).addRoutes?.(routes) ?? Promise.resolve());
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const way = wayOf(event.request, self.location.origin, shell);
  if (way === 'shell') event.respondWith(part(event.request));
  else if (way === 'page') event.respondWith(page(event));
});

// Background Sync: sends changes of closed pages when there is a connection.
self.addEventListener('sync' as 'message', (event) => {
  const sync = event as unknown as SyncEvent;
  const [name, user] = sync.tag.split(' ');
  if (name === 'changes' && user) sync.waitUntil(sendChanges(user));
});

/** Stores all files of this version or none: a page with missing files would break without a connection. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName(VERSION));
  // Files with a hash in their name may come from the cache of the browser.
  await cache.addAll(
    [...shell].map((path) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' })),
  );
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  for (const name of outdated(await caches.keys(), VERSION)) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A file of the pages: of this version, or of the last one for pages that are still open. */
async function part(request: Request): Promise<Response> {
  const own = await caches.open(cacheName(VERSION));
  return (await own.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

/** The page from the server or, without an answer in time, the stored one. */
async function page(event: FetchEvent): Promise<Response> {
  const fresh = Promise.resolve(event.preloadResponse as Promise<Response | undefined>).then(
    (preloaded) => preloaded ?? fetch(event.request),
  );
  fresh.catch(() => {});
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  const answer = await Promise.race([fresh, late]).catch(() => null);
  if (answer && answer.status < 500) return answer;
  const own = await caches.open(cacheName(VERSION));
  return (await own.match(INDEX)) ?? fresh;
}

async function sendChanges(user: string): Promise<void> {
  const me = await fetch(apiUrl('/api/users/me'), { credentials: apiOrigin ? 'include' : 'same-origin' });
  // Changes of another user wait until that user signs in.
  if (!me.ok || ((await me.json()) as { id: string }).id !== user) return;
  const db = await OfflineDb.open(user);
  let isLost = false;
  const outbox = new Outbox(
    async (batch) => {
      const outcome = await send(batch, apiOrigin);
      isLost ||= outcome.is === 'lost';
      return outcome;
    },
    { onAcknowledged: (changes) => void applyChanges(db, changes) },
  );
  await outbox.open({
    all: () => db.all<Change>('changes'),
    write: (put, gone) => db.write('changes', put, gone),
  });
  await outbox.flush();
  await outbox.refresh();
  await outbox.open(null);
  db.close();
  for (const client of await self.clients.matchAll()) client.postMessage('sent');
  // The browser tries again.
  if (isLost) throw new Error('no answer');
}
