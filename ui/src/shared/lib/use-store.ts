import { useSyncExternalStore } from 'react';
import type { Store } from './store';

/** The value of a store, as it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
