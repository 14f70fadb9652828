import { useSyncExternalStore } from 'react';
import type { Change } from '../offline/change';
import { wasHeard, wasLost } from '../offline/connection';
import { ownerOf } from '../offline/owner';
import { Queue } from '../offline/queue';
import { send } from '../offline/send';
import { apiOrigin } from './client';
import { tellSignedOut } from './query-client';

let takeBack: (refused: readonly Change[]) => void = () => {};

/** What this person did and the server does not know of yet. To do something: `record`. */
export const pending = new Queue(
  async (batch) => {
    const outcome = await send(batch, apiOrigin);
    if (outcome.is === 'lost') {
      wasLost();
      void askForSync();
    } else {
      void wasHeard();
    }
    if (outcome.is === 'who') tellSignedOut();
    return outcome;
  },
  (refused) => takeBack(refused),
);

/** Says what happens to changes that the server does not accept; once, at the start. */
export function onRefused(listener: typeof takeBack): void {
  takeBack = listener;
}

export function usePending(): readonly Change[] {
  return useSyncExternalStore(pending.subscribe, pending.get);
}

type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Where browsers can do that, the service worker sends it though no page is open. */
async function askForSync(): Promise<void> {
  const registration: WithSync | undefined = await navigator.serviceWorker?.getRegistration();
  const owner = ownerOf();
  if (owner) await registration?.sync?.register(`changes ${owner}`).catch(() => {});
}
