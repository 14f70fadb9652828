import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Item } from '@/shared/api/items';
import { cn } from '@/shared/lib/cn';
import { ItemRow, type RowActions, type RowFeed } from './item-row';

/** Heights of rows in pixels; titles have two lines on phones. */
const HEIGHTS = { comfortable: { wide: 64, narrow: 84 }, compact: { wide: 36, narrow: 48 } } as const;
/** How many rows before the end more is asked for. */
const AHEAD = 12;

type ItemListProps = {
  items: readonly Item[];
  feedOf: (item: Item) => RowFeed | null;
  selectedId: string | null;
  /** The item that is open in its place in the list. */
  openId: string | null;
  renderOpen: (item: Item) => ReactNode;
  actions: RowActions;
  density: 'comfortable' | 'compact';
  isNarrow: boolean;
  onNearEnd: () => void;
  /** Below the last row. */
  footer: ReactNode;
};

/** The rows: only those that can be seen are in the page, however many there are. */
export function ItemList(props: ItemListProps) {
  const { items, selectedId, openId, density, isNarrow, onNearEnd } = props;
  const { t } = useTranslation('reading');
  const box = useRef<HTMLDivElement>(null);
  const height = HEIGHTS[density][isNarrow ? 'narrow' : 'wide'];
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights, all measured anew
  useLayoutEffect(() => virtual.measure(), [height]);

  const rows = virtual.getVirtualItems();
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= items.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && items.length > 0) onNearEnd();
  }, [isNearEnd, items.length, onNearEnd]);

  const indexOf = (id: string | null) => (id === null ? -1 : items.findIndex((item) => item.id === id));
  const focus = (id: string) =>
    box.current?.querySelector<HTMLElement>(`[data-item="${id}"] [data-title]`)?.focus({ preventScroll: true });

  // What is opened goes to the top, with one row above it in view; what is closed gives back where one was.
  const before = useRef<{ id: string | null; top: number }>({ id: null, top: 0 });
  const shownId = indexOf(openId) >= 0 ? openId : null;
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
    const returnTo = was.id === null ? list.scrollTop : top;
    before.current = { id: shownId, top: returnTo };
    list.scrollTop = top;
    // Once more when the rows have their new places.
    const frame = requestAnimationFrame(() => {
      list.scrollTop = top;
      const id = shownId ?? was.id;
      if (id && (document.activeElement === document.body || list.contains(document.activeElement))) focus(id);
    });
    return () => cancelAnimationFrame(frame);
  }, [shownId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list
  useEffect(() => {
    const at = indexOf(selectedId);
    if (at < 0 || selectedId === null || selectedId === openId) return;
    virtual.scrollToIndex(at, { align: 'auto' });
    const frame = requestAnimationFrame(() => focus(selectedId));
    return () => cancelAnimationFrame(frame);
  }, [selectedId]);

  return (
    <section ref={box} aria-label={t('list.items')} className="h-full overflow-y-auto outline-offset-[-2px]">
      <ul className="relative [overflow-anchor:none]" style={{ height: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (!item) return null;
          const isOpen = item.id === openId;
          return (
            <li
              key={row.key}
              // Only what is open has a height of its own; asking all rows for theirs would lay the page out again and again.
              ref={isOpen ? virtual.measureElement : undefined}
              data-index={row.index}
              data-item={item.id}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              className={cn('absolute inset-x-0', isOpen && 'z-2')}
              style={{ top: row.start, height: isOpen ? undefined : height }}
            >
              {isOpen ? (
                props.renderOpen(item)
              ) : (
                <ItemRow
                  item={item}
                  feed={props.feedOf(item)}
                  isSelected={item.id === selectedId}
                  isCompact={density === 'compact'}
                  isNarrow={isNarrow}
                  actions={props.actions}
                />
              )}
            </li>
          );
        })}
      </ul>
      <div className={cn(shownId !== null && 'min-h-[70dvh]')}>{props.footer}</div>
    </section>
  );
}
