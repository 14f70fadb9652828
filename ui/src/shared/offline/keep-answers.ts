import type { QueryClient } from '@tanstack/react-query';
import { cacheFact, type FactName } from './cached';
import { onSessionUser } from './session-user';

const PAUSE_MS = 250;

/** The queries that are stored, by the first part of their keys. */
const names: readonly unknown[] = ['me', 'subscriptions', 'folders', 'settings'] satisfies FactName[];

/** Stores answers for the time without a connection. Called once. */
export function keepAnswers(client: QueryClient): void {
  const waiting = new Map<FactName, unknown>();
  const write = () => {
    for (const [name, data] of waiting) cacheFact(name, data);
    waiting.clear();
  };
  client.getQueryCache().subscribe(({ type, query }) => {
    const [name] = query.queryKey;
    if (type !== 'updated' || query.state.status !== 'success' || !names.includes(name)) return;
    if (waiting.size === 0) setTimeout(write, PAUSE_MS);
    waiting.set(name as FactName, query.state.data);
  });
  onSessionUser((user) => {
    if (user === null) waiting.clear();
  });
  // Phones end pages without a warning.
  document.addEventListener('visibilitychange', write);
  window.addEventListener('pagehide', write);
}
