import type { Batch, MarkChange } from './change';

/** What became of a request. `lost`: nobody answered; `later`: not now; `who`: the server does not know who asks. */
export type Outcome =
  | { is: 'sent'; answer: unknown }
  | { is: 'gone' | 'refused' | 'who' | 'lost' }
  | { is: 'later'; seconds: number | null };

/** Longer than this no answer is waited for: the next try is as good. */
const PATIENCE_MS = 20_000;

/** Tells the server; without the page's client, because the service worker does so too. */
export async function send(batch: Batch, origin: string): Promise<Outcome> {
  const [method, path, body] = requestOf(batch);
  const request = new Request(`${origin || location.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: origin ? 'include' : 'same-origin',
    // The page may be closing; the browser then sends it all the same.
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  let response: Response;
  try {
    response = await fetch(request);
    if (response.ok) return { is: 'sent', answer: await response.json() };
  } catch {
    return { is: 'lost' };
  }
  if (response.status === 401) return { is: 'who' };
  if (response.status === 404) return { is: 'gone' };
  if (response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { is: 'later', seconds: Number.isFinite(seconds) ? seconds : null };
  }
  return { is: 'refused' };
}

function requestOf(batch: Batch): [method: string, path: string, body: unknown] {
  if (batch.kind === 'items') return ['POST', '/api/items/state', { ids: batch.ids, ...batch.state }];
  if (batch.kind === 'settings') return ['PUT', '/api/users/me/settings', batch.body];
  return ['POST', ...markOf(batch.change)];
}

function markOf({ place, filter, as_of }: MarkChange): [path: string, body: unknown] {
  const what = { as_of, filter: filter === 'all' ? null : filter };
  if (place.kind === 'feed') return [`/api/feeds/${place.id}/read`, what];
  return ['/api/items/read', { ...what, folder: place.kind === 'folder' ? place.id : null }];
}
