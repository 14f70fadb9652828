import type { QueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { type Change, type MarkChange, type NewChange, withChanges } from '../offline/change';
import { changeKept } from '../offline/kept';
import { onOwner, ownShelf } from '../offline/owner';
import type { Outcome } from '../offline/send';
import { toast } from '../ui/toast-store';
import { applyPatch, changeItems } from './item-changes';
import { onRefused, pending } from './pending';
import { subscriptionKeys } from './subscriptions';

/** Does it to what is kept too, and tells the server; gives the number of the change. */
export function record(change: NewChange, onOutcome?: (outcome: Outcome) => void): number {
  if (change.kind !== 'settings') {
    changeKept(change.kind === 'item' ? [change.id] : null, (item) => withChanges(item, [change]));
  }
  return pending.add(change, onOutcome);
}

/** Follows who is here: their changes are sent, and nobody else's. Once, at the start. */
export function watchChanges(client: QueryClient): void {
  onRefused((refused) => takeBack(client, refused));
  onOwner(async (owner) => {
    const shelf = owner ? await ownShelf() : null;
    await pending.open(
      shelf && {
        all: () => shelf.all<Change>('changes'),
        write: (put, gone) => shelf.write('changes', put, gone),
      },
    );
    // What is shown already was asked for before it was known what is to be sent.
    changeItems(client, (item) => withChanges(item, pending.get()));
    await pending.flush();
  });
  // The service worker has sent what a page left behind.
  navigator.serviceWorker?.addEventListener('message', () => void pending.refresh());
}

/** What was refused is as it was before, and words say so. */
function takeBack(client: QueryClient, refused: readonly Change[]): void {
  for (const change of refused) {
    if (change.kind === 'mark') unmark(client, change);
    if (change.kind !== 'item') continue;
    applyPatch(client, change.id, change.base);
    changeKept([change.id], (item) => ({ ...item, ...change.base }));
  }
  void client.invalidateQueries({ queryKey: subscriptionKeys.all });
  const isOfItems = refused.some(({ kind }) => kind !== 'settings');
  toast({ message: isOfItems ? t('reading:notMarked') : t('notKept'), tone: 'bad' });
}

/** What a mark made read is unread again, here. */
export function unmark(client: QueryClient, { ids }: Pick<MarkChange, 'ids'>): void {
  const were = new Set(ids);
  const undo = <T extends { id: string; is_read: boolean }>(item: T): T =>
    were.has(item.id) && item.is_read ? { ...item, is_read: false } : item;
  changeItems(client, undo);
  changeKept(ids, undo);
}
