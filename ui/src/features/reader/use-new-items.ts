import { useState, useSyncExternalStore } from 'react';
import { onNewItems } from '@/shared/api/arrivals';
import type { Schema } from '@/shared/api/client';
import type { Scope } from '@/shared/api/items';
import type { Visit } from './visits';

type Subscription = Schema<'SubscriptionView'>;

/** Whether what comes with a feed would be in the list. */
export function concerns({ place, filter }: Scope, feedId: string, subscriptions: readonly Subscription[]): boolean {
  if (filter === 'starred') return false;
  if (place.kind === 'all') return true;
  if (place.kind === 'feed') return place.id === feedId;
  return subscriptions.some((one) => one.feed_id === feedId && one.folder_id === place.id);
}

/** All that came since the page was opened. Lists remember how much of it they had been told when they were loaded. */
const log: { feed_id: string; new_items: number }[] = [];
onNewItems((arrived) => log.push(arrived));
const heardOf = () => log.length;

/** How many items came since the list was loaded: counted here, and shown when somebody asks. */
export function useNewItems(scope: Scope, subscriptions: readonly Subscription[], visit: Visit | null) {
  const length = useSyncExternalStore(onNewItems, heardOf);
  const [loaded, setLoaded] = useState({ scope, heard: visit?.heard ?? length });
  let { heard } = loaded;
  if (loaded.scope !== scope) {
    heard = visit?.heard ?? length;
    setLoaded({ scope, heard });
  }
  const count = log
    .slice(heard)
    .reduce((sum, { feed_id, new_items }) => sum + (concerns(scope, feed_id, subscriptions) ? new_items : 0), 0);
  return { count, heard, clear: () => setLoaded({ scope, heard: heardOf() }) };
}
