import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from '../lib/problem';
import { staleTime } from '../offline/network-or-cache';

/** The longest automatic wait after a 429 answer. */
const PATIENCE_SECONDS = 20;

type Listener = (problem: Problem) => void;
const signedOut = new Set<Listener>();

/** Calls back when the session has ended. Returns a function that ends it. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

function report(error: unknown) {
  if (error instanceof Problem && error.code === 'sign_in_required') reportSignedOut(error);
}

/** Reports that the session has ended, for requests that are not queries or mutations. */
export function reportSignedOut(
  problem = new Problem({ status: 401, code: 'sign_in_required', category: 'auth' }),
): void {
  for (const listener of signedOut) listener(problem);
}

/** Whether a query is retried automatically. */
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
    queryCache: new QueryCache({ onError: report }),
    mutationCache: new MutationCache({ onError: report }),
    defaultOptions: {
      queries: {
        retry: retries,
        retryDelay,
        staleTime: staleTime(30_000),
        gcTime: 30 * 60_000,
        // Queries run without a connection too: they return stored data or an error, and never wait.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
