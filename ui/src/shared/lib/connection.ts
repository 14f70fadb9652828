import { onlineManager } from '@tanstack/react-query';
import { Store } from './store';
import { useStore } from './use-store';

/** `offline`: the browser has no network; `unreachable`: it thinks that it has, but the server does not answer. */
type Connection = 'online' | 'offline' | 'unreachable';

const FIRST_TRY_MS = 2_000;
const LAST_TRY_MS = 30_000;

const state = new Store<Connection>('online');
let tries = 0;
let checking: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
let ask: () => Promise<boolean> = () => Promise.resolve(true);
let catchUp: () => Promise<unknown> = () => Promise.resolve();

export const getConnection = state.get;
/** Calls back when the connection changes. Returns a function that ends it. */
export const onConnection = state.subscribe;
export const useConnection = (): Connection => useStore(state);

/** Watches the connection. `probe` asks the server; `beforeOnline` runs first when it is back. Called once. */
export function watchConnection(probe: () => Promise<boolean>, beforeOnline: () => Promise<unknown>): void {
  ask = probe;
  catchUp = beforeOnline;
  // Queries use the same state. The state of the browser is only a hint.
  onlineManager.setEventListener(() => () => {});
  window.addEventListener('offline', wasLost);
  window.addEventListener('online', () => void checkConnection());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && state.get() !== 'online') void checkConnection();
  });
  if (!navigator.onLine) wasLost();
}

/** Notes that the server did not answer. */
export function wasLost(): void {
  if (state.get() === 'online') tries = 0;
  set(navigator.onLine ? 'unreachable' : 'offline');
  onlineManager.setOnline(false);
  timer ??= setTimeout(() => void checkConnection(), Math.min(FIRST_TRY_MS * 2 ** tries++, LAST_TRY_MS));
}

/** Notes that the server answered. */
export async function wasHeard(): Promise<void> {
  if (state.get() === 'online') return;
  stop();
  set('online');
  await catchUp();
  // It may be lost again.
  if (state.get() === 'online') onlineManager.setOnline(true);
}

/** Asks the server, and notes whether it answers. Concurrent calls share one request, unless `isNew`: a user asks again. */
export function checkConnection(isNew = false): Promise<boolean> {
  stop();
  if (checking !== null && !isNew) return checking;
  const check: Promise<boolean> = ask().then((isReachable) => {
    // A newer request decides.
    if (checking !== check) return isReachable;
    checking = null;
    if (isReachable) void wasHeard();
    else wasLost();
    return isReachable;
  });
  checking = check;
  return check;
}

function stop() {
  if (timer !== null) clearTimeout(timer);
  timer = null;
}

function set(next: Connection) {
  if (state.get() !== next) state.set(next);
}
