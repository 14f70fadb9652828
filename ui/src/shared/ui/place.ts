const GAP = 6;
const EDGE = 8;

type Box = { left: number; top: number; right: number; bottom: number };
type Size = { width: number; height: number };
export type Align = 'start' | 'center' | 'end';
export type Side = 'bottom' | 'right';

/** The position of a box beside its anchor: below it, or above if there is more room, and always inside the window. */
export function placeBeside(
  anchor: Box,
  size: Size,
  room: Size,
  align: Align,
  side: Side = 'bottom',
): { left: number; top: number } {
  if (side === 'right' && anchor.right + GAP + size.width <= room.width - EDGE) {
    const top = (anchor.top + anchor.bottom - size.height) / 2;
    return { left: anchor.right + GAP, top: within(top, size.height, room.height) };
  }
  const below = room.height - EDGE - anchor.bottom - GAP;
  const above = anchor.top - EDGE - GAP;
  const top = size.height <= below || below >= above ? anchor.bottom + GAP : anchor.top - GAP - size.height;
  const left = {
    start: anchor.left,
    center: (anchor.left + anchor.right - size.width) / 2,
    end: anchor.right - size.width,
  }[align];
  return { left: within(left, size.width, room.width), top: within(top, size.height, room.height) };
}

function within(at: number, length: number, most: number): number {
  return Math.max(EDGE, Math.min(at, most - EDGE - length));
}

/** Moves the box there. */
export function place(box: HTMLElement, anchor: Element, align: Align, side?: Side): void {
  const size = { width: box.offsetWidth, height: box.offsetHeight };
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const { left, top } = placeBeside(anchor.getBoundingClientRect(), size, room, align, side);
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
