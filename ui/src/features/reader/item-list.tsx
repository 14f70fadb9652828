import { useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type ReactNode, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenItem } from '@/shared/content/open-item';
import { useRowWords } from '@/shared/content/row-words';
import { cn } from '@/shared/lib/cn';
import { useNow } from '@/shared/lib/use-now';
import { usePreferences } from '@/shared/preferences/storage';
import { ItemRow } from './item-row';
import { useListScroll } from './use-list-scroll';
import type { Reader } from './use-reader';

/** Heights of rows in pixels; titles have two lines on phones. */
const HEIGHTS = { comfortable: { wide: 64, narrow: 84 }, compact: { wide: 36, narrow: 48 } } as const;
/** Rows that are drawn beyond the visible ones. Few at first, so that the list is shown sooner. */
const BEYOND = { atFirst: 1, later: 8 };
/** The next page is requested this many rows before the end. */
const AHEAD = 25;

/** The text size of the browser relative to the usual one. Rows grow with it. */
function textScale(): number {
  return Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 15) || 1;
}

/**
 * The rows. Only the visible ones are in the page, each with its position for screen readers. Not the ARIA `feed` pattern: there,
 * articles have to be focused one by one, while headings and items of a list can be browsed.
 */
export function ItemList({ reader, children }: { reader: Reader; children: ReactNode }) {
  const { list, selectedId, isNarrow, leaving, neighbours, actions, open, feedOf } = reader;
  const { items, more } = list;
  const openId = reader.isPage ? null : reader.openId;
  const { density } = usePreferences();
  const { t } = useTranslation('reading');
  const words = useRowWords();
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const [scale] = useState(textScale);
  const height = Math.round(HEIGHTS[density][isNarrow ? 'narrow' : 'wide'] * scale);
  const virtual = useVirtualizer<HTMLElement, Element>({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: useDeferredValue(BEYOND.later, BEYOND.atFirst),
    initialOffset: reader.startAt,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another density changes all heights
  useLayoutEffect(() => {
    virtual.measure();
    // `measure` forgets the height of the open item, and its observer reports only changes. Without new positions
    // `resizeItem` compares with the old height and does nothing.
    virtual.getTotalSize();
    const open = box.current?.querySelector<HTMLElement>('[data-index]');
    if (open) virtual.resizeItem(Number(open.dataset.index), open.offsetHeight);
  }, [height]);

  useLayoutEffect(
    () => () => {
      // The last known position: the element may be hidden already, and its own position is 0 then.
      leaving.top = virtual.scrollOffset ?? 0;
    },
    [virtual, leaving],
  );

  const of = list.hasMore ? -1 : items.length;
  const rows = virtual.getVirtualItems();
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= items.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && items.length > 0) more();
  }, [isNearEnd, items.length, more]);

  const shownId = items.some((item) => item.id === openId) ? openId : null;
  useListScroll({ box, virtual, items, height, selectedId, shownId });

  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest<HTMLElement>('[data-item]')?.dataset.item;
    if (id && id !== selectedId) reader.choose(id);
  };
  return (
    <section
      ref={box}
      aria-label={t('list.items')}
      // The sticky bar of the open item must not cover what gets the focus.
      className="h-full scroll-pt-12 overflow-y-auto outline-offset-[-2px]"
    >
      <ul className="relative" onFocus={onFocus} style={{ height: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (!item) return null;
          if (item.id === openId) {
            return (
              <li
                key={row.key}
                // Only the open item is measured: measuring every row would force a layout each time.
                ref={virtual.measureElement}
                data-index={row.index}
                data-item={item.id}
                aria-posinset={row.index + 1}
                aria-setsize={of}
                className="absolute inset-x-0 z-2"
                style={{ top: row.start }}
              >
                <OpenItem item={item} feed={feedOf(item)} neighbours={neighbours} actions={actions} onOpen={open} />
              </li>
            );
          }
          return (
            <ItemRow
              key={row.key}
              item={item}
              href={reader.hrefOf(item.id)}
              feed={reader.rowFeedOf(item)}
              at={row.index}
              of={of}
              top={row.start}
              height={height}
              isSelected={item.id === selectedId}
              isCompact={density === 'compact'}
              isNarrow={isNarrow}
              now={now}
              actions={actions}
              words={words}
            />
          );
        })}
      </ul>
      {/* Not a scroll anchor: the browser would scroll down with it when rows are added above. */}
      <div
        className={cn(
          '[contain-intrinsic-size:auto_128px] [content-visibility:auto] [overflow-anchor:none]',
          shownId !== null && 'min-h-[70dvh]',
        )}
      >
        {children}
      </div>
    </section>
  );
}
