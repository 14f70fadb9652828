import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { record, unmark } from '@/shared/api/changes';
import { api, done, type Schema } from '@/shared/api/client';
import { changeItems, shiftCounts } from '@/shared/api/item-changes';
import type { Item, Scope } from '@/shared/api/items';
import { pending } from '@/shared/api/pending';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { toast } from '@/shared/ui/toast-store';

type Mark = { scope: Scope; asOf: string | null; items: readonly Item[] };
type Subscriptions = Schema<'SubscriptionView'>[];

/** Marks as read what the list had when it was loaded, and nothing that came after; with a way back. */
export function useMarkAll(): (mark: Mark) => void {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  const recount = () => client.invalidateQueries({ queryKey: subscriptionKeys.all });

  return ({ scope: { place, filter }, asOf, items }) => {
    const ids = items.filter((item) => !item.is_read).map((item) => item.id);
    const { feeds, shifts } = reach(client, place, filter, items);
    show(client, new Set(ids), shifts);
    let isTold = false;
    let isUnwanted = false;
    let sent: Schema<'MarkedView'> | null = null;
    const change = { kind: 'mark', place, feeds, filter, as_of: asOf, ids, shifts } as const;
    const seq = record(change, (outcome) => {
      if (outcome.is === 'sent') {
        sent = outcome.answer as Schema<'MarkedView'>;
        void (isUnwanted ? undo(sent) : recount());
      }
      if (isTold) return;
      isTold = true;
      if (outcome.is === 'lost' || outcome.is === 'later') toast({ message: t('list.markedLater'), undo: takeBack });
      else if (sent?.marked === 0) toast({ message: t('list.nothingToMark') });
      else if (sent) toast({ message: t('list.marked', { count: sent.marked }), undo: takeBack });
    });
    /** Before it is sent nobody need be told; afterwards there is a token for it, or will be. */
    const takeBack = () => {
      unmark(client, { ids });
      if (pending.withdraw(seq)) shift(client, shifts, -1);
      else if (sent) void undo(sent);
      else isUnwanted = true;
    };
    const undo = async ({ undo_token }: Schema<'MarkedView'>) => {
      try {
        await done(api.POST('/api/undo', { body: { undo_token } }));
      } catch {
        show(client, new Set(ids), {});
        toast({ message: t('notMarked'), tone: 'bad' });
      }
      await recount();
    };
  };
}

/** The feeds that are meant, and how many unread items fewer each has then, as far as that is known here. */
function reach(client: QueryClient, place: Scope['place'], filter: Scope['filter'], items: readonly Item[]) {
  const all = client.getQueryData<Subscriptions>(subscriptionKeys.all) ?? [];
  const isHere = (one: Subscriptions[number]) =>
    place.kind === 'all' || place.id === (place.kind === 'feed' ? one.feed_id : one.folder_id);
  const here = all.filter(isHere);
  const shifts: Record<string, number> = {};
  if (filter === 'starred') {
    for (const item of items) if (!item.is_read) shifts[item.feed_id] = (shifts[item.feed_id] ?? 0) - 1;
  } else {
    for (const one of here) if (one.unread_count > 0) shifts[one.feed_id] = -one.unread_count;
  }
  return { feeds: place.kind === 'all' ? null : here.map((one) => one.feed_id), shifts };
}

function show(client: QueryClient, ids: ReadonlySet<string>, shifts: Record<string, number>) {
  changeItems(client, (item) => (ids.has(item.id) && !item.is_read ? { ...item, is_read: true } : item));
  shift(client, shifts, 1);
}

function shift(client: QueryClient, shifts: Record<string, number>, by: 1 | -1) {
  const counts = new Map(Object.entries(shifts).map(([feed, count]) => [feed, count * by]));
  client.setQueryData<Subscriptions>(subscriptionKeys.all, (all) => all && shiftCounts(all, counts));
}
