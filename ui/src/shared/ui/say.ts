/** Long enough to be read out; then it is gone, so that nobody comes upon it later. */
const GONE_MS = 2_000;

export type Said = { id: number; words: string };

let all: readonly Said[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(to: readonly Said[]) {
  all = to;
  for (const listener of listeners) listener();
}

/** Has screen readers say something, once, after what they are just saying. It is drawn by the `Toaster`. */
export function say(words: string): void {
  const said = { id: next++, words };
  change([...all, said]);
  setTimeout(() => change(all.filter((one) => one !== said)), GONE_MS);
}

export const getSaid = (): readonly Said[] => all;

export function subscribeSaid(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
