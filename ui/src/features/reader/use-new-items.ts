import { useEffect, useState } from 'react';
import type { Schema } from '@/shared/api/client';
import { onNewItems } from '@/shared/api/events';
import type { Scope } from '@/shared/api/items';

type Subscription = Schema<'SubscriptionView'>;

/** Whether what comes with a feed would be in the list. */
export function concerns({ place, filter }: Scope, feedId: string, subscriptions: readonly Subscription[]): boolean {
  if (filter === 'starred') return false;
  if (place.kind === 'all') return true;
  if (place.kind === 'feed') return place.id === feedId;
  return subscriptions.some((one) => one.feed_id === feedId && one.folder_id === place.id);
}

/** How many items came since the list was loaded. They are counted here and shown when somebody asks. */
export function useNewItems(scope: Scope, subscriptions: readonly Subscription[]): [count: number, clear: () => void] {
  const [state, setState] = useState({ scope, count: 0 });
  useEffect(
    () =>
      onNewItems(({ feed_id, new_items }) => {
        if (!concerns(scope, feed_id, subscriptions)) return;
        setState((was) => ({ scope, count: (was.scope === scope ? was.count : 0) + new_items }));
      }),
    [scope, subscriptions],
  );
  return [state.scope === scope ? state.count : 0, () => setState({ scope, count: 0 })];
}
