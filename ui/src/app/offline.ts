import type { QueryClient } from '@tanstack/react-query';
import { type ItemPages, itemKeys, type Scope } from '@/shared/api/items';
import { outbox, startOutbox } from '@/shared/api/outbox';
import { watchCounts } from '@/shared/api/subscriptions';
import { apiOrigin, apiUrl } from '@/shared/lib/api-url';
import { watchConnection } from '@/shared/lib/connection';
import { keepAnswers } from '@/shared/offline/keep-answers';
import { sameUser, watchOtherTabs } from '@/shared/offline/session-user';

/** Delay after a list has loaded. */
const AHEAD_AFTER_MS = 2_000;
/** Without an answer within this time the server counts as unreachable. */
const PROBE_MS = 4_000;

/** Starts everything that makes the client work without a connection. Called once. */
export function startOffline(client: QueryClient): void {
  startOutbox(client);
  watchCounts(client);
  keepAnswers(client);
  watchConnection(isReachable, () => outbox.flush());
  watchOtherTabs();
  watchLists(client);
}

/** A cheap request; at another origin, one that CORS allows. */
const PROBE = apiOrigin ? '/auth/providers' : '/healthz';

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch(apiUrl(PROBE), { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}

/** Fetches the texts of each list that has loaded. */
function watchLists(client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    const [, kind, scope] = event.query.queryKey;
    if (kind !== itemKeys.lists[1]) return;
    const pages = event.action.data as ItemPages;
    const isSameUser = sameUser();
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const ahead = isSameUser() ? await import('@/shared/api/texts-ahead').catch(() => null) : null;
      await ahead?.fetchTextsAhead(scope as Scope, pages);
    }, AHEAD_AFTER_MS);
  });
}
