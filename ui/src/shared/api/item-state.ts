import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { record } from './changes';
import { applyPatch, findItem, type ItemPatch } from './item-changes';

/** Marks an item: here at once, on the server in the order it was done; without a connection, when it is back. */
export function useItemState(): (id: string, patch: ItemPatch) => void {
  const client = useQueryClient();
  return useCallback(
    (id, state) => {
      const feed = findItem(client, id)?.feed_id;
      const base = applyPatch(client, id, state) ?? {};
      const shifts = feed && base.is_read !== undefined ? { [feed]: base.is_read ? 1 : -1 } : {};
      record({ kind: 'item', id, state, base, shifts });
    },
    [client],
  );
}
