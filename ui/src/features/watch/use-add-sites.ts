import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';
import { watchKeys } from '@/shared/api/watch';
import { problemText } from '@/shared/i18n/problem-text';
import { Problem } from '@/shared/lib/problem';

export type SiteOutcome = 'waiting' | 'adding' | 'added' | 'present' | 'failed' | 'left';
/** The result of an address. `message`: why it was not added. */
export type SiteResult = { address: string; outcome: SiteOutcome; message?: string };

/** The result of an address whose request failed. */
export function failureOf(error: unknown): Pick<SiteResult, 'outcome' | 'message'> {
  const problem = error instanceof Problem ? error : new Problem({ status: 0, code: 'unexpected', category: 'system' });
  if (problem.code === 'already_subscribed') return { outcome: 'present' };
  const { message, action } = problemText(problem);
  return { outcome: 'failed', message: [message, action].filter(Boolean).join('\n') };
}

/**
 * Adds sites one after the other. `pausedFor`: the seconds until the server accepts the next one. Stopping waits for the answer
 * to the last request, so that its result is known.
 */
export function useAddSites(resolveFolder: () => Promise<string | null>) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly SiteResult[]>([]);
  const [pausedFor, setPausedFor] = useState(0);
  const [isRunning, setRunning] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const set = (address: string, result: Pick<SiteResult, 'outcome' | 'message'>) =>
    setResults((all) => all.map((one) => (one.address === address ? { address, ...result } : one)));

  const addOne = async (url: string, folder_id: string | null, signal: AbortSignal) => {
    for (;;) {
      try {
        await body(api.POST('/api/feeds', { body: { url, kind: 'site', folder_id } }));
        return { outcome: 'added' } as const;
      } catch (error) {
        const wait = error instanceof Problem && error.status === 429 ? error.retryAfterSeconds : null;
        if (wait === null) return failureOf(error);
        setPausedFor(wait);
        await pause(wait, signal);
        setPausedFor(0);
        if (signal.aborted) return { outcome: 'left' } as const;
      }
    }
  };

  const run = async (addresses: readonly string[]) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRunning(true);
    setError(null);
    try {
      const folder = await resolveFolder();
      setResults(addresses.map((address) => ({ address, outcome: 'waiting' })));
      for (const address of addresses) {
        if (!signal.aborted) set(address, { outcome: 'adding' });
        set(address, signal.aborted ? { outcome: 'left' } : await addOne(address, folder, signal));
      }
    } catch (error) {
      setError(error);
    }
    setRunning(false);
    setStopping(false);
    for (const queryKey of [watchKeys.all, subscriptionKeys.all, folderKeys.all, itemKeys.lists]) {
      void client.invalidateQueries({ queryKey });
    }
  };

  return {
    results,
    pausedFor,
    isRunning,
    isStopping,
    error,
    run: (addresses: readonly string[]) => void run(addresses),
    stop: () => {
      setStopping(true);
      controller.current?.abort();
    },
    restart: () => setResults([]),
  };
}

/** Waits, or returns at once when it is stopped. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
