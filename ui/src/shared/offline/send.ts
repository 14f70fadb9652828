import type { Batch, Change, ItemChange, MarkChange } from './change';

/** The result of a request. `lost`: no answer; `later`: not now; `who`: not signed in. */
export type Outcome =
  | { is: 'sent'; answer: unknown; revision: number }
  | { is: 'gone' | 'refused' | 'who' | 'lost' }
  | { is: 'later'; seconds: number | null };

const TIMEOUT_MS = 20_000;

/** The number of the last write that an answer contains. */
export const revisionOf = ({ headers }: Response): number => Number(headers.get('kawaraban-revision') ?? 0);

/** Sends changes. It does not use the client of the pages, because the service worker sends changes too. */
export async function send(batch: Batch, origin: string): Promise<Outcome> {
  const [method, path, body] = requestOf(batch);
  const request = new Request(`${origin || location.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    credentials: origin ? 'include' : 'same-origin',
    // The browser also sends it while the page is closing.
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  let response: Response;
  try {
    response = await fetch(request);
    if (response.ok) {
      return {
        is: 'sent',
        answer: response.status === 204 ? null : await response.json(),
        revision: revisionOf(response),
      };
    }
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

type ApiRequest = [method: string, path: string, body?: object];

const requests = {
  mark: ({ place, filter, as_of }: MarkChange): ApiRequest => {
    const what = { as_of, filter: filter === 'all' ? null : filter };
    if (place.kind === 'feed') return ['POST', `/api/feeds/${place.id}/read`, what];
    return ['POST', '/api/items/read', { ...what, folder: place.kind === 'folder' ? place.id : null }];
  },
  undo: ({ undo_token }): ApiRequest => ['POST', '/api/undo', { undo_token }],
  settings: ({ body }): ApiRequest => ['PUT', '/api/users/me/settings', body],
  delete: ({ what, id }): ApiRequest => ['DELETE', `/api/${what}/${id}`],
} satisfies { [Kind in Exclude<Change, ItemChange>['kind']]: (change: Extract<Change, { kind: Kind }>) => ApiRequest };

function requestOf(batch: Batch): ApiRequest {
  if (batch.kind === 'items') return ['POST', '/api/items/state', { ids: batch.ids, ...batch.state }];
  return requests[batch.change.kind](batch.change as never);
}
