import { Store } from '../lib/store';

/** How long a toast stays, in milliseconds: longer with an undo. */
export const PLAIN_MS = 4_000;
export const UNDO_MS = 10_000;

type Toast = {
  id: number;
  message: string;
  tone: 'plain' | 'bad';
  /** Offered while the toast is there. */
  undo: (() => void) | null;
  /** Called when it can no longer be undone. */
  settle: (() => void) | null;
};

type NewToast = { message: string; tone?: Toast['tone']; undo?: () => void; settle?: () => void };

/** The toasts of a page, oldest first. Their time stands still while the pointer or the focus is on them. */
export class Toasts extends Store<readonly Toast[]> {
  #next = 1;
  #paused = false;
  readonly #timers = new Map<number, { end: number; left: number; timer: ReturnType<typeof setTimeout> | null }>();

  constructor() {
    super([]);
  }

  show({ message, tone = 'plain', undo, settle }: NewToast): void {
    const id = this.#next++;
    this.set([...this.get(), { id, message, tone, undo: undo ?? null, settle: settle ?? null }]);
    this.#timers.set(id, { end: 0, left: undo ? UNDO_MS : PLAIN_MS, timer: null });
    if (!this.#paused) this.#start(id);
  }

  /** Its time is over, or the user has closed it. */
  dismiss(id: number): void {
    this.#take(id)?.settle?.();
  }

  undo(id: number): void {
    this.#take(id)?.undo?.();
  }

  /** Undoes the last change that can be undone. */
  undoLast(): void {
    const last = this.get().findLast((one) => one.undo);
    if (last) this.undo(last.id);
  }

  /** Settles everything, because the page is closing. */
  settleAll(): void {
    for (const { id } of this.get()) this.dismiss(id);
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
    const toast = this.get().find((one) => one.id === id);
    clearTimeout(this.#timers.get(id)?.timer ?? undefined);
    this.#timers.delete(id);
    this.set(this.get().filter((one) => one.id !== id));
    if (this.get().length === 0) this.#paused = false;
    return toast;
  }
}

export const toasts = new Toasts();

/** Shows a message at the edge of the page: `toast({ message, undo })`. */
export const toast = (what: NewToast): void => toasts.show(what);
