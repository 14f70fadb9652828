/** The result of the work; null where browsers permit no storage. Values then last as long as the page. */
export function tryStorage<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** A value that this browser has stored. */
export const readStored = (key: string): unknown =>
  tryStorage(() => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown);

export const writeStored = (key: string, value: unknown): void =>
  void tryStorage(() => localStorage.setItem(key, JSON.stringify(value)));
