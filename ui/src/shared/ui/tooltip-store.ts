import type { ReactNode } from 'react';
import type { Side } from './place';

const HOVER_MS = 450;
/** After one was there, the next comes at once: whoever looks for a button looks at several. */
const WARM_MS = 300;
const LEAVE_MS = 100;

export type Shown = { anchor: HTMLElement; text: ReactNode; shortcut: string | undefined; side: Side };

/** The one tooltip of the page, and when it comes and goes. */
export class TooltipStore {
  #shown: Shown | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leftAt = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly get = (): Shown | null => this.#shown;

  /** The pointer has come; or the focus, which waits for nothing. */
  enter(next: Shown, isFocus: boolean): void {
    clearTimeout(this.#timer);
    const isWarm = this.#shown !== null || Date.now() - this.#leftAt < WARM_MS;
    if (isFocus || isWarm) this.#set(next);
    else this.#timer = setTimeout(() => this.#set(next), HOVER_MS);
  }

  /** The pointer has left; it may be on its way to the tooltip itself. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), LEAVE_MS);
  }

  stay(): void {
    clearTimeout(this.#timer);
  }

  hide(): void {
    clearTimeout(this.#timer);
    if (this.#shown === null) return;
    this.#leftAt = Date.now();
    this.#set(null);
  }

  #set(shown: Shown | null): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

export const tooltip = new TooltipStore();
