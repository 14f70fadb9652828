import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import type { Item, Scope } from '@/shared/api/items';
import { enqueueChange, outbox } from '@/shared/api/outbox';
import { shownSubscriptions } from '@/shared/api/subscriptions';
import { feedsIn } from '@/shared/lib/feeds-in';
import { toast } from '@/shared/ui/toast-store';

type Mark = { scope: Scope; asOf: string | null; items: readonly Item[] };
type Shifts = Record<string, number>;

/** Marks all items of a list as read that had arrived when it was loaded, and offers to undo it. */
export function useMarkAll(): (mark: Mark) => void {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  return ({ scope: { place, filter }, asOf, items }) => {
    const here = feedsIn(place, shownSubscriptions(client));
    const unread = items.filter((item) => !item.is_read);
    const shifts: Shifts = {};
    if (filter === 'starred') for (const { feed_id } of unread) shifts[feed_id] = (shifts[feed_id] ?? 0) - 1;
    else for (const { feed_id, unread_count } of here) if (unread_count > 0) shifts[feed_id] = -unread_count;
    let isAnnounced = false;
    let isUndone = false;
    let marked: Schema<'MarkedView'> | null = null;
    const feeds = place.kind === 'all' ? null : here.map((one) => one.feed_id);
    const seq = enqueueChange({ kind: 'mark', place, feeds, filter, as_of: asOf, shifts }, (outcome) => {
      if (outcome.is === 'sent') {
        marked = outcome.answer as Schema<'MarkedView'>;
        if (isUndone) enqueueUndo(marked);
      }
      if (isAnnounced) return;
      isAnnounced = true;
      if (outcome.is === 'lost' || outcome.is === 'later') toast({ message: t('list.markedLater'), undo });
      else if (marked?.marked === 0) toast({ message: t('list.nothingToMark') });
      else if (marked) toast({ message: t('list.marked', { count: marked.marked }), undo });
    });
    const undo = () => {
      if (outbox.withdraw(seq)) return;
      if (marked) enqueueUndo(marked);
      else isUndone = true;
    };
    const enqueueUndo = ({ undo_token }: Schema<'MarkedView'>) => {
      const back = Object.fromEntries(Object.entries(shifts).map(([feed, shift]) => [feed, -shift]));
      const ids = unread.map((item) => item.id);
      enqueueChange({ kind: 'undo', undo_token, ids, shifts: back }, ({ is }) => {
        if (is === 'gone') toast({ message: t('notMarked'), tone: 'bad' });
      });
    };
  };
}
