import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Item } from '@/shared/api/items';

type ListScroll = {
  box: RefObject<HTMLElement | null>;
  virtual: Virtualizer<HTMLElement, Element>;
  items: readonly Item[];
  /** Of a row. */
  height: number;
  selectedId: string | null;
  /** The item that is open in its place. */
  shownId: string | null;
};

/** Moves the list, and the focus, with what is opened, closed and chosen. */
export function useListScroll({ box, virtual, items, height, selectedId, shownId }: ListScroll): void {
  const indexOf = (id: string | null) => (id === null ? -1 : items.findIndex((item) => item.id === id));
  const rowOf = (id: string) => box.current?.querySelector(`[data-item="${id}"]`);
  const focus = (id: string) => rowOf(id)?.querySelector<HTMLElement>('[data-title]')?.focus({ preventScroll: true });

  // What is opened goes to the top, with one row above it in view; what is closed gives back where one was.
  const before = useRef<{ id: string | null; top: number }>({ id: null, top: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening and closing moves the list
  useLayoutEffect(() => {
    const list = box.current;
    const was = before.current;
    if (!list || was.id === shownId) return;
    const closedAt = indexOf(was.id);
    if (closedAt >= 0) virtual.resizeItem(closedAt, height);
    virtual.getTotalSize();
    const startOf = (at: number) => virtual.measurementsCache[at]?.start ?? at * height;
    const at = indexOf(shownId);
    const top = at >= 0 ? startOf(at) - (at > 0 ? height : 0) : Math.min(was.top, Math.max(0, startOf(closedAt)));
    before.current = { id: shownId, top: was.id === null ? (virtual.scrollOffset ?? 0) : top };
    list.scrollTop = top;
    // Once more when the rows have their new places.
    const frame = requestAnimationFrame(() => {
      list.scrollTop = top;
      const id = shownId ?? was.id;
      if (id && (document.activeElement === document.body || list.contains(document.activeElement))) focus(id);
    });
    return () => cancelAnimationFrame(frame);
  }, [shownId]);

  // What was chosen before somebody came back may be out of sight, and stays so.
  const chosen = useRef(selectedId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list
  useEffect(() => {
    if (chosen.current === selectedId) return;
    chosen.current = selectedId;
    const row = virtual.measurementsCache[indexOf(selectedId)];
    if (!box.current || !row || selectedId === null || selectedId === shownId) return;
    // All heights are known: asking the page for its own would have it laid out once more for each key.
    const view = virtual.scrollRect?.height ?? 0;
    const top = virtual.scrollOffset ?? 0;
    if (row.start < top) box.current.scrollTop = row.start;
    else if (row.end > top + view) box.current.scrollTop = row.end - view;
    // Whoever has gone there by Tab stays where they are in the row.
    const frame = requestAnimationFrame(() => {
      if (!rowOf(selectedId)?.contains(document.activeElement)) focus(selectedId);
    });
    return () => cancelAnimationFrame(frame);
  }, [selectedId]);
}
