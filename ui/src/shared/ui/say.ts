import { Store } from '../lib/store';

/** Long enough to be read out. Later, screen readers should not find it in the page. */
const GONE_MS = 2_000;

let next = 1;

/** The words that screen readers are saying. The `Toaster` draws them. */
export const said = new Store<readonly { id: number; words: string }[]>([]);

/** Has screen readers say something once, after what they are saying now. */
export function say(words: string): void {
  const one = { id: next++, words };
  said.set([...said.get(), one]);
  setTimeout(() => said.set(said.get().filter((other) => other !== one)), GONE_MS);
}
