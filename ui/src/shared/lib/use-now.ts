import { Store } from './store';
import { useStore } from './use-store';

const now = new Store(Date.now());
let isRunning = false;

/** Starts with the first relative time that is shown. */
const clock = {
  get: now.get,
  subscribe: (listener: () => void) => {
    if (!isRunning) setInterval(() => now.set(Date.now()), 30_000);
    isRunning = true;
    return now.subscribe(listener);
  },
};

/** The current time, updated every 30 seconds. One clock for all relative times of a page. */
export const useNow = (): number => useStore(clock);
