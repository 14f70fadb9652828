import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body, done } from '@/shared/api/client';
import { changeItems } from '@/shared/api/item-changes';
import type { Item, Scope } from '@/shared/api/items';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { toast } from '@/shared/ui/toast-store';

type Mark = { scope: Scope; asOf: string | null; items: readonly Item[] };

function mark({ place, filter }: Scope, asOf: string | null) {
  const what = { as_of: asOf, filter: filter === 'all' ? null : filter };
  if (place.kind === 'feed') {
    return body(api.POST('/api/feeds/{id}/read', { params: { path: { id: place.id } }, body: what }));
  }
  const folder = place.kind === 'folder' ? place.id : null;
  return body(api.POST('/api/items/read', { body: { ...what, folder } }));
}

/** Marks as read what the list had when it was loaded, and nothing that came after; with a way back. */
export function useMarkAll(): (mark: Mark) => void {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  const show = (ids: ReadonlySet<string>, is_read: boolean) =>
    changeItems(client, (item) => (ids.has(item.id) && item.is_read !== is_read ? { ...item, is_read } : item));
  const recount = () => client.invalidateQueries({ queryKey: subscriptionKeys.all });
  const fail = () => toast({ message: t('notMarked'), tone: 'bad' });

  const undo = useMutation({
    mutationFn: ({ token }: { token: string; ids: ReadonlySet<string> }) =>
      done(api.POST('/api/undo', { body: { undo_token: token } })),
    onMutate: ({ ids }) => show(ids, false),
    onError: (_, { ids }) => {
      show(ids, true);
      fail();
    },
    onSettled: recount,
  });
  const { mutate } = useMutation({
    mutationFn: ({ scope, asOf }: Mark) => mark(scope, asOf),
    onMutate: ({ items }) => {
      const ids = new Set(items.filter((item) => !item.is_read).map((item) => item.id));
      show(ids, true);
      return ids;
    },
    onError: (_, __, ids) => {
      if (ids) show(ids, false);
      fail();
    },
    onSuccess: ({ marked, undo_token: token }, _, ids) => {
      if (marked === 0) toast({ message: t('list.nothingToMark') });
      else toast({ message: t('list.marked', { count: marked }), undo: () => undo.mutate({ token, ids }) });
    },
    onSettled: recount,
  });
  return mutate;
}
