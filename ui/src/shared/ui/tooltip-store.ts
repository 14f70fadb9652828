import type { ReactNode } from 'react';
import { Store } from '../lib/store';
import type { Side } from './place';

const HOVER_MS = 450;
/** Soon after a tooltip, the next one comes without a delay. */
const WARM_MS = 300;
const LEAVE_MS = 100;

export type Shown = { anchor: HTMLElement; text: ReactNode; shortcut: string | undefined; side: Side };

/** The one tooltip of the page, and when it comes and goes. */
export class TooltipStore extends Store<Shown | null> {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor() {
    super(null);
  }

  /** The pointer or the focus has come. Only the pointer waits. */
  enter(next: Shown, isFocus: boolean): void {
    clearTimeout(this.#timer);
    const isWarm = this.get() !== null || Date.now() - this.#leftAt < WARM_MS;
    if (isFocus || isWarm) this.set(next);
    else this.#timer = setTimeout(() => this.set(next), HOVER_MS);
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
    if (this.get() === null) return;
    this.#leftAt = Date.now();
    this.set(null);
  }
}

export const tooltip = new TooltipStore();
