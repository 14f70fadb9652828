import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { checkConnection, getConnection } from '../lib/connection';
import { Problem } from '../lib/problem';

/** How long to wait for the network before showing stored data; less while the connection is known to be bad. */
const PATIENCE_MS = { online: 4_000, otherwise: 600 };

/** The queries whose data comes from the offline database. */
const fromCache = new Set<string>();

/** Stored data is always stale, so that it is fetched again when the connection is back. */
export const staleTime = (fresh: number) => (query: { queryHash: string }) =>
  fromCache.has(query.queryHash) ? 0 : fresh;

/** The answer of the server or, without one in time, stored data. A late answer replaces it. */
export async function networkOrCache<T>(
  { client, queryKey }: { client: QueryClient; queryKey: QueryKey },
  answer: Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const hash = hashKey(queryKey);
  fromCache.delete(hash);
  return await firstOf(answer, async () => {
    const cached = await find();
    if (cached === undefined) return undefined;
    fromCache.add(hash);
    answer.then(
      (value) => {
        if (fromCache.delete(hash)) client.setQueryData(queryKey, value);
      },
      () => {},
    );
    return cached;
  });
}

/** The answer or, if it fails or takes too long, what `find` returns. */
export async function firstOf<T>(answer: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    const patience = getConnection() === 'online' ? PATIENCE_MS.online : PATIENCE_MS.otherwise;
    timer = setTimeout(() => resolve(null), patience);
  });
  try {
    const first = await Promise.race([answer.then((value) => ({ value })), late]);
    if (first) return first.value;
    // One slow answer does not mean that the server is unreachable.
    void checkConnection();
    const cached = await find();
    answer.catch(() => {});
    return cached === undefined ? await answer : cached;
  } catch (problem) {
    const cached = problem instanceof Problem && isOfConnection(problem) ? await find() : undefined;
    if (cached === undefined) throw problem;
    return cached;
  } finally {
    clearTimeout(timer);
  }
}

/** No answer, or the answer of a proxy that got none. */
const isOfConnection = ({ status }: Problem) => status === 0 || status === 502 || status === 503 || status === 504;
