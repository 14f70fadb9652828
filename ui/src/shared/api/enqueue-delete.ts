import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DeleteChange } from '../offline/change';
import { toast, UNDO_MS } from '../ui/toast-store';
import { itemKeys } from './items';
import { enqueueChange, outbox } from './outbox';
import { folderKeys, subscriptionKeys } from './subscriptions';

/** A toast stays longer while the pointer is over it. This tab releases the change; another one sends it after this time. */
const GRACE_MS = 20_000;

/** Deletes a subscription or a folder: hidden at once, sent when it can no longer be undone. */
export function useEnqueueDelete(): (what: DeleteChange['what'], id: string, message: string) => void {
  const client = useQueryClient();
  return useCallback((what, id, message) => enqueueDelete(client, what, id, message), [client]);
}

function enqueueDelete(client: QueryClient, what: DeleteChange['what'], id: string, message: string): void {
  const held_until = Date.now() + UNDO_MS + GRACE_MS;
  const seq = enqueueChange({ kind: 'delete', what, id, held_until, shifts: {} }, ({ is }) => {
    if (is !== 'sent') return;
    // The items of a folder stay as they are.
    const keys =
      what === 'subscriptions' ? [itemKeys.all, subscriptionKeys.all, folderKeys.all] : [subscriptionKeys.all];
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  });
  toast({ message, undo: () => outbox.withdraw(seq), settle: () => void outbox.release(seq) });
}
