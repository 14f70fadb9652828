import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { useCallback } from 'react';
import { toast } from '../ui/toast-store';
import { api, body } from './client';
import { applyPatch, type ItemPatch } from './item-changes';

type Change = { id: string; patch: ItemPatch };

/** Marks an item: here at once, on the server in the order it was done; without a connection, when it is back. */
export function useItemState(): (id: string, patch: ItemPatch) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: ['item-state'],
    scope: { id: 'item-state' },
    mutationFn: ({ id, patch }: Change) =>
      body(api.PUT('/api/items/{id}/state', { params: { path: { id } }, body: patch })),
    onMutate: ({ id, patch }) => applyPatch(client, id, patch),
    onError: (_, { id }, inverse) => {
      if (inverse) applyPatch(client, id, inverse);
      toast({ message: t('reading:notMarked'), tone: 'bad' });
    },
  });
  return useCallback((id, patch) => mutate({ id, patch }), [mutate]);
}
