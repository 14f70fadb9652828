import type { QueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { apiOrigin } from '../lib/api-url';
import { checkConnection, wasHeard } from '../lib/connection';
import { useStore } from '../lib/use-store';
import { applyToCache } from '../offline/cached';
import type { Change } from '../offline/change';
import { Outbox } from '../offline/outbox';
import { send } from '../offline/send';
import { onSessionUser, sessionDb, sessionUser } from '../offline/session-user';
import { toast } from '../ui/toast-store';
import { reportSignedOut } from './query-client';

/** Acknowledged changes, for the other tabs. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('kawaraban.outbox') : null;

/** The writes that the server has not acknowledged. See docs/adr/0018. */
export const outbox = new Outbox(
  async (batch) => {
    const outcome = await send(batch, apiOrigin);
    if (outcome.is === 'lost') {
      void checkConnection();
      void requestSync();
    } else {
      void wasHeard();
    }
    if (outcome.is === 'who') reportSignedOut();
    return outcome;
  },
  {
    onAcknowledged: (changes) => {
      applyToCache(changes);
      channel?.postMessage(changes);
    },
    onRefused: (changes) => {
      const isOfItems = changes.some(({ kind }) => kind !== 'settings' && kind !== 'delete');
      toast({ message: isOfItems ? t('reading:notMarked') : t('notKept'), tone: 'bad' });
    },
  },
);

/** Stores a write and sends it, now or when there is a connection. Returns its number. */
export const enqueueChange: Outbox['add'] = (change, onOutcome) => outbox.add(change, onOutcome);

/** All changes that an answer may not contain. */
export const useOutbox = (): readonly Change[] => useStore(outbox);

/** Opens the outbox of the signed-in user. Called once. */
export function startOutbox(client: QueryClient): void {
  onSessionUser(async (user) => {
    const db = user ? await sessionDb() : null;
    await outbox.open(
      db && {
        all: () => db.all<Change>('changes'),
        write: (put, gone) => db.write('changes', put, gone),
      },
    );
    await outbox.flush();
  });
  channel?.addEventListener('message', ({ data }) => outbox.acknowledge(data as Change[]));
  // The service worker has sent the changes of a closed page.
  navigator.serviceWorker?.addEventListener('message', () => {
    void outbox.refresh();
    void client.invalidateQueries();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void outbox.flush();
  });
  window.addEventListener('pagehide', () => {
    outbox.sendNow();
    if (outbox.pending().length > 0) void requestSync();
  });
}

type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Lets the service worker send the changes when no page is open, where browsers support it. */
async function requestSync(): Promise<void> {
  const registration: WithSync | undefined = await navigator.serviceWorker?.getRegistration();
  const user = sessionUser();
  if (user) await registration?.sync?.register(`changes ${user}`).catch(() => {});
}
