/** How long a toast stays, in milliseconds: longer when something can be taken back. */
export const PLAIN_MS = 4_000;
export const UNDO_MS = 10_000;

export type Toast = {
  id: number;
  message: string;
  tone: 'plain' | 'bad';
  /** Takes it back; offered while the toast is there. */
  undo: (() => void) | null;
  /** What happens once it can no longer be taken back. */
  settle: (() => void) | null;
};

export type NewToast = { message: string; tone?: Toast['tone']; undo?: () => void; settle?: () => void };

/** The toasts of a page, oldest first. Time is counted here, so that it can stand still while somebody looks. */
export class Toasts {
  #all: readonly Toast[] = [];
  #next = 1;
  #paused = false;
  readonly #timers = new Map<number, { end: number; left: number; timer: ReturnType<typeof setTimeout> | null }>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): readonly Toast[] => this.#all;

  /** Shows it; gives a function that takes it away, as if its time were over. */
  show({ message, tone = 'plain', undo, settle }: NewToast): () => void {
    const id = this.#next++;
    this.#change([...this.#all, { id, message, tone, undo: undo ?? null, settle: settle ?? null }]);
    this.#timers.set(id, { end: 0, left: undo ? UNDO_MS : PLAIN_MS, timer: null });
    if (!this.#paused) this.#start(id);
    return () => this.dismiss(id);
  }

  /** Its time is over, or somebody closed it. */
  dismiss(id: number): void {
    this.#take(id)?.settle?.();
  }

  undo(id: number): void {
    this.#take(id)?.undo?.();
  }

  /** The last change that can be taken back. */
  undoLast(): void {
    const last = this.#all.findLast((one) => one.undo);
    if (last) this.undo(last.id);
  }

  /** Everything that waits is done now: the page is being left. */
  settleAll(): void {
    for (const { id } of this.#all) this.dismiss(id);
  }

  pause(): void {
    this.#paused = true;
    for (const entry of this.#timers.values()) {
      if (entry.timer === null) continue;
      clearTimeout(entry.timer);
      entry.timer = null;
      entry.left = Math.max(entry.end - Date.now(), 1_000);
    }
  }

  resume(): void {
    this.#paused = false;
    for (const id of this.#timers.keys()) this.#start(id);
  }

  #start(id: number): void {
    const entry = this.#timers.get(id);
    if (!entry || entry.timer !== null) return;
    entry.end = Date.now() + entry.left;
    entry.timer = setTimeout(() => this.dismiss(id), entry.left);
  }

  #take(id: number): Toast | undefined {
    const toast = this.#all.find((one) => one.id === id);
    const entry = this.#timers.get(id);
    if (entry?.timer) clearTimeout(entry.timer);
    this.#timers.delete(id);
    this.#change(this.#all.filter((one) => one.id !== id));
    if (this.#all.length === 0) this.#paused = false;
    return toast;
  }

  #change(all: readonly Toast[]): void {
    this.#all = all;
    for (const listener of this.#listeners) listener();
  }
}

export const toasts = new Toasts();

/** Says something at the edge of the page: `toast({ message, undo })`. */
export const toast = (what: NewToast): (() => void) => toasts.show(what);
