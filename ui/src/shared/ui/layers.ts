import { useSyncExternalStore } from 'react';

const windows: HTMLElement[] = [];
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const top = () => windows.at(-1) ?? document.body;

/** A modal window has opened; gives what says that it is closed. */
export function enterLayer(element: HTMLElement): () => void {
  windows.push(element);
  notify();
  return () => {
    windows.splice(windows.lastIndexOf(element), 1);
    notify();
  };
}

/** What lies on top of everything: the last modal window, else the page. Nothing outside of it can be pressed or is read out. */
export function useTopLayer(): HTMLElement {
  return useSyncExternalStore(subscribe, top);
}
