/** How the worker answers a request; null leaves it to the browser. */
export type Way = 'page' | 'shell' | null;

/** Addresses of programs. The worker never answers them; the page itself stores answers of the API, for each user. */
const NOT_PAGES = ['/api', '/auth', '/healthz', '/readyz', '/metrics'];

type Asked = { url: string; method: string; mode: string };

/** The worker answers only for the pages and their files, which are the same for all users. */
export function wayOf({ url, method, mode }: Asked, origin: string, shell: ReadonlySet<string>): Way {
  const { origin: from, pathname } = new URL(url);
  if (method !== 'GET' || from !== origin) return null;
  if (NOT_PAGES.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return null;
  if (shell.has(pathname) || pathname.startsWith('/assets/')) return 'shell';
  const isFile = pathname.split('/').at(-1)?.includes('.');
  return mode === 'navigate' && !isFile ? 'page' : null;
}

const PREFIX = 'shell ';

export const cacheName = (version: string): string => `${PREFIX}${version}`;

/** The caches to delete when this version takes over: all but its own and the last one, which open pages may need. Oldest first. */
export function outdated(names: readonly string[], version: string): string[] {
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName(version));
  return others.slice(0, -1);
}
