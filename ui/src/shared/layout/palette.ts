import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isOpen = false;

/** Opens the command palette or puts it away: its key does that, and a button in the sidebar. */
export function setPaletteOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export const isPaletteOpen = (): boolean => isOpen;

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(subscribe, isPaletteOpen);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
