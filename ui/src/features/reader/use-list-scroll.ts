import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Item } from '@/shared/api/items';

type ListScroll = {
  box: RefObject<HTMLElement | null>;
  virtual: Virtualizer<HTMLElement, Element>;
  items: readonly Item[];
  /** The height of a row. */
  height: number;
  selectedId: string | null;
  /** The item that is open in the list. */
  shownId: string | null;
};

/** Scrolls the list and moves the focus when items are opened, closed and selected. */
export function useListScroll({ box, virtual, items, height, selectedId, shownId }: ListScroll): void {
  const indexOf = (id: string | null) => (id === null ? -1 : items.findIndex((item) => item.id === id));
  const rowOf = (id: string) => box.current?.querySelector(`[data-item="${id}"]`);
  const focus = (id: string) => rowOf(id)?.querySelector<HTMLElement>('[data-title]')?.focus({ preventScroll: true });

  // An opened item scrolls to the top, with one row above it in view. Closing it restores the position before.
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
    // Again after the rows have moved.
    const frame = requestAnimationFrame(() => {
      list.scrollTop = top;
      const id = shownId ?? was.id;
      if (id && (document.activeElement === document.body || list.contains(document.activeElement))) focus(id);
    });
    return () => cancelAnimationFrame(frame);
  }, [shownId]);

  // When the user returns to a list, the selected item may be out of sight and stays so.
  const chosen = useRef(selectedId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list
  useEffect(() => {
    if (chosen.current === selectedId) return;
    chosen.current = selectedId;
    const row = virtual.measurementsCache[indexOf(selectedId)];
    if (!box.current || !row || selectedId === null || selectedId === shownId) return;
    // All heights are known: reading them from the page would force a layout for each key.
    const view = virtual.scrollRect?.height ?? 0;
    const top = virtual.scrollOffset ?? 0;
    if (row.start < top) box.current.scrollTop = row.start;
    else if (row.end > top + view) box.current.scrollTop = row.end - view;
    // A focus that came by Tab stays where it is in the row.
    const frame = requestAnimationFrame(() => {
      if (!rowOf(selectedId)?.contains(document.activeElement)) focus(selectedId);
    });
    return () => cancelAnimationFrame(frame);
  }, [selectedId]);
}
