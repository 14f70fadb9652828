/** How a request of a page is answered; null leaves it to the browser. */
export type Way = 'page' | 'shell' | null;

/** Programs' addresses: never answered with a page, and never by us. Answers of the API are kept by the page itself, by person. */
const NOT_PAGES = ['/api', '/auth', '/healthz', '/readyz', '/metrics'];

type Asked = { url: string; method: string; mode: string };

/** Only what is part of the pages themselves is ours: the same for everybody who looks at them. */
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

/**
 * The caches that go when this version takes over: all but its own and the last one's, from which open pages may still want a
 * part. `names` are in the order in which they were made.
 */
export function outdated(names: readonly string[], version: string): string[] {
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName(version));
  return others.slice(0, -1);
}
