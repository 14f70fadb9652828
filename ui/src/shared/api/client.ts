import createClient, { type Middleware } from 'openapi-fetch';
import { apiOrigin } from '../lib/api-url';
import { wasHeard, wasLost } from '../lib/connection';
import { Problem, problemOf, problemOfNoAnswer } from '../lib/problem';
import { takeEarly } from './early';
import type { components, paths } from './schema';

/** A body of the API by its name: `Schema<'ItemView'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

const asProblems: Middleware = {
  onRequest({ request }) {
    request.headers.set('accept-language', document.documentElement.lang);
  },
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
  onError({ error }) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    return isAborted ? undefined : problemOfNoAnswer(error);
  },
};

/** Sends a request, and notes whether the server is reachable. */
async function send(request: Request): Promise<Response> {
  try {
    // Looked up at each call: tests replace it.
    const response = await (takeEarly(request) ?? globalThis.fetch(request));
    if (isOfProxy(response)) wasLost();
    else void wasHeard();
    return response;
  } catch (error) {
    if (!request.signal.aborted) wasLost();
    throw error;
  }
}

/** An answer of a proxy that cannot reach the server. Errors of the server itself are JSON. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.get('content-type')?.includes('json');
}

/** The API, typed by its document. Every failure is thrown as a `Problem`; take the body out with `body(…)`. */
export const api = createClient<paths>({
  // Tests of pure logic have no page.
  baseUrl: apiOrigin || (globalThis.location?.origin ?? 'http://localhost'),
  credentials: apiOrigin ? 'include' : 'same-origin',
  fetch: send,
});
api.use(asProblems);

/** The body of an answer. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new Problem({ status: 0, code: 'unexpected', category: 'system' });
  return data;
}

/** For answers that have no body. */
export async function done(answer: Promise<unknown>): Promise<void> {
  await answer;
}
