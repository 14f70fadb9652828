import { type PointerEvent, useRef, useState } from 'react';

/** The distance in pixels from which a swipe counts, and the largest distance that the row moves. */
export const FAR = 72;
const MOST = 120;
/** A shorter movement is a tap. */
const SLACK = 10;

type Swipe = { onRight: () => void; onLeft: () => void };

/** A row that is swiped with a finger, with an action for each direction. Vertical movements scroll. */
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
