import { Store } from '../lib/store';
import { useStore } from '../lib/use-store';

/** The open modal windows, in their order. */
const windows = new Store<readonly HTMLElement[]>([]);

/** Adds a modal window. Returns a function that removes it. */
export function enterLayer(element: HTMLElement): () => void {
  windows.set([...windows.get(), element]);
  return () => windows.set(windows.get().filter((one) => one !== element));
}

/** The last modal window, or the page. Nothing outside of it can be pressed or is read out. */
export function useTopLayer(): HTMLElement {
  return useStore(windows).at(-1) ?? document.body;
}
