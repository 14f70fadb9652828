import { type PointerEvent, useRef, useState } from 'react';

/** How far a finger has to go before it means it, and how far the row follows at the most; in pixels. */
export const FAR = 72;
const MOST = 120;
/** Before this much it may still be a tap. */
const SLACK = 10;

type Swipe = { onRight: () => void; onLeft: () => void };

/** A row that is drawn aside with a finger: to the right for one thing, to the left for the other. Up and down stays scrolling. */
export function useSwipe({ onRight, onLeft }: Swipe) {
  const start = useRef<{ x: number; id: number; hasMoved: boolean } | null>(null);
  const [shift, setShift] = useState(0);

  const end = (isMeant: boolean) => {
    if (isMeant && shift >= FAR) onRight();
    if (isMeant && shift <= -FAR) onLeft();
    start.current = null;
    setShift(0);
  };
  return {
    shift,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType === 'mouse' || !event.isPrimary) return;
        start.current = { x: event.clientX, id: event.pointerId, hasMoved: false };
      },
      onPointerMove: (event: PointerEvent) => {
        const from = start.current;
        if (!from || from.id !== event.pointerId) return;
        const way = event.clientX - from.x;
        if (!from.hasMoved && Math.abs(way) < SLACK) return;
        if (!from.hasMoved) event.currentTarget.setPointerCapture(event.pointerId);
        from.hasMoved = true;
        setShift(Math.max(-MOST, Math.min(MOST, way)));
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    },
  };
}
