import type { QueryClient } from '@tanstack/react-query';
import { watchChanges } from '@/shared/api/changes';
import { apiOrigin, apiUrl } from '@/shared/api/client';
import { type ItemPages, itemKeys } from '@/shared/api/items';
import { keepShown } from '@/shared/api/keep-shown';
import { pending } from '@/shared/api/pending';
import { onSignedOut } from '@/shared/api/query-client';
import { watchConnection } from '@/shared/offline/connection';
import { isUnknown, ownerOf, watchOtherWindows, whoeverIsHere } from '@/shared/offline/owner';

/** A while after a list has come, when nothing else is to be done. */
const AHEAD_AFTER_MS = 3_000;

/** Everything that makes the connection's coming and going a small matter. Once, at the start. */
export function startOffline(client: QueryClient): void {
  watchChanges(client);
  keepShown(client);
  watchConnection(isThere, () => pending.flush());
  watchOtherWindows();
  onSignedOut(() => void isUnknown());
  fetchTextsAhead(client);
}

/** Something that costs the server nothing; at another origin, something that we may look at. */
const PROBE = apiOrigin ? '/auth/providers' : '/healthz';

async function isThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(10_000);
    return (await fetch(apiUrl(PROBE), { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** The texts of a list that has just come, for the time when they cannot be had. */
function fetchTextsAhead(client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (event.query.queryKey[1] !== itemKeys.lists[1]) return;
    const pages = event.action.data as ItemPages;
    const isStillHere = whoeverIsHere();
    clearTimeout(timer);
    timer = setTimeout(async () => {
      // Who it is may have become known meanwhile; it is for nobody else.
      if (!isStillHere()) return;
      const owner = ownerOf();
      const ahead = await import('@/shared/offline/ahead').catch(() => null);
      await ahead?.fetchAhead(
        owner,
        pages.pages.flatMap(({ items, is_kept }) => (is_kept ? [] : items)),
      );
    }, AHEAD_AFTER_MS);
  });
}
