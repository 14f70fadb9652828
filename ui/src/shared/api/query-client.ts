import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

/** The longest that a query waits by itself when it was told to slow down; beyond that a person decides. */
const PATIENCE_SECONDS = 20;

type Listener = (problem: Problem) => void;
const signedOut = new Set<Listener>();

/** Calls back when the server no longer knows who we are; gives a function that ends it. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

function hear(error: unknown) {
  if (error instanceof Problem && error.code === 'sign_in_required') tellSignedOut(error);
}

/** Says that the server no longer knows who we are: for what is asked beside queries and mutations. */
export function tellSignedOut(
  problem = new Problem({ status: 401, code: 'sign_in_required', category: 'auth' }),
): void {
  for (const listener of signedOut) listener(problem);
}

/** Whether a query tries again by itself. */
export function retries(failures: number, error: unknown): boolean {
  if (!(error instanceof Problem) || !error.mayPass || error.code === 'offline') return false;
  if (error.status === 429 && (error.retryAfterSeconds ?? 0) > PATIENCE_SECONDS) return false;
  return failures < 2;
}

/** After how many milliseconds. */
export function retryDelay(failures: number, error: unknown): number {
  const told = error instanceof Problem ? error.retryAfterSeconds : null;
  return told === null ? Math.min(1000 * 2 ** failures, 8000) : told * 1000;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: hear }),
    mutationCache: new MutationCache({ onError: hear }),
    defaultOptions: {
      queries: {
        retry: retries,
        retryDelay,
        staleTime: 30_000,
        gcTime: 30 * 60_000,
        // Whoever asks gets an answer without a connection too: what was kept, or words; never a wait without an end.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
