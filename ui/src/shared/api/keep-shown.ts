import type { QueryClient } from '@tanstack/react-query';
import { type FactName, keepFact } from '../offline/kept';
import { onOwner } from '../offline/owner';
import type { Schema } from './client';
import { meKeys } from './me';
import { folderKeys, subscriptionKeys } from './subscriptions';

type Subscriptions = Schema<'SubscriptionView'>[];

/** What the server answers, and events and people change, is kept a moment later, all in one. */
const PAUSE_MS = 250;

const names = new Map<unknown, FactName>([
  [meKeys.all[0], 'me'],
  [subscriptionKeys.all[0], 'subscriptions'],
  [folderKeys.all[0], 'folders'],
  ['settings', 'settings'],
]);

/** Keeps what is around the lists: as the server said it, with the counts and settings that are shown. */
export function keepShown(client: QueryClient): void {
  const waiting = new Map<FactName, unknown>();
  let answered: Subscriptions = [];
  const keep = () => {
    for (const [name, data] of waiting) keepFact(name, data);
    waiting.clear();
  };
  client.getQueryCache().subscribe((event) => {
    const name = names.get(event.query.queryKey[0]);
    if (!name || event.type !== 'updated' || event.action.type !== 'success') return;
    const { manual: isChangedHere = false, data } = event.action;
    // A feed that is moved is where it was until the server agrees; only that its items are read is certain.
    if (isChangedHere && name === 'folders') return;
    if (name === 'subscriptions' && !isChangedHere) answered = data as Subscriptions;
    if (waiting.size === 0) setTimeout(keep, PAUSE_MS);
    waiting.set(name, name === 'subscriptions' ? withCounts(answered, data as Subscriptions) : data);
  });
  onOwner((owner) => {
    if (owner === null) waiting.clear();
  });
  // Phones end pages without a word.
  document.addEventListener('visibilitychange', keep);
  window.addEventListener('pagehide', keep);
}

export function withCounts(answered: Subscriptions, shown: Subscriptions): Subscriptions {
  const counts = new Map(shown.map((one) => [one.id, one.unread_count]));
  return answered.map((one) => ({ ...one, unread_count: counts.get(one.id) ?? one.unread_count }));
}
