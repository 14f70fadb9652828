import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** `offline`: the browser has no network; `unreachable`: it thinks that it has, but the server does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable';

const FIRST_TRY_MS = 2_000;
const LAST_TRY_MS = 30_000;

let state: Connection = 'online';
let tries = 0;
let timer: ReturnType<typeof setTimeout> | null = null;
let ask: () => Promise<boolean> = () => Promise.resolve(true);
let catchUp: () => Promise<unknown> = () => Promise.resolve();
const listeners = new Set<() => void>();

export const getConnection = (): Connection => state;

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, getConnection);
}

/** Calls back when the connection comes or goes; gives a function that ends it. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the connection. `probe` asks the server anything; `beforeOnline` is done first when it is back. Once, at the start. */
export function watchConnection(probe: () => Promise<boolean>, beforeOnline: () => Promise<unknown>): void {
  ask = probe;
  catchUp = beforeOnline;
  // Queries go by the same state; what the browser says of itself is only a hint.
  onlineManager.setEventListener(() => () => {});
  window.addEventListener('offline', wasLost);
  window.addEventListener('online', () => void checkConnection());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && state !== 'online') void checkConnection();
  });
  if (!navigator.onLine) wasLost();
}

/** Nobody answered. */
export function wasLost(): void {
  if (state === 'online') tries = 0;
  set(navigator.onLine ? 'unreachable' : 'offline');
  onlineManager.setOnline(false);
  timer ??= setTimeout(() => void checkConnection(), Math.min(FIRST_TRY_MS * 2 ** tries++, LAST_TRY_MS));
}

/** The server answered. */
export async function wasHeard(): Promise<void> {
  if (state === 'online') return;
  stop();
  set('online');
  await catchUp();
  // It may have gone again meanwhile.
  if (getConnection() === 'online') onlineManager.setOnline(true);
}

/** Asks whether the server answers, and notes it. */
export async function checkConnection(): Promise<boolean> {
  stop();
  const isThere = await ask();
  if (isThere) void wasHeard();
  else wasLost();
  return isThere;
}

function stop() {
  if (timer !== null) clearTimeout(timer);
  timer = null;
}

function set(next: Connection) {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}
