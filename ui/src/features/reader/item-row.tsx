import { memo } from 'react';
import type { Item } from '@/shared/api/items';
import { languageOf } from '@/shared/content/prepare';
import { Bookmarks, ItemTime, ReadToggle, type RowActions, type RowFeed, StarToggle } from '@/shared/content/row-parts';
import type { RowWords } from '@/shared/content/row-words';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { SwipeRow } from './swipe-row';

type ItemRowProps = {
  item: Item;
  /** The address at which the item is open in this list. */
  href: string;
  /** Null where all items are of one feed. */
  feed: RowFeed | null;
  /** Its position, and the number of items; -1 while it is unknown. */
  at: number;
  of: number;
  /** The position in the list, in pixels. */
  top: number;
  height: number;
  isSelected: boolean;
  isCompact: boolean;
  isNarrow: boolean;
  /** The time now, in milliseconds. */
  now: number;
  actions: RowActions;
  words: RowWords;
};

/**
 * An item in the list. Its title, whose link is as large as the row, opens it. Many rows are created while the user scrolls: a row
 * has no hooks and few elements, and is drawn again only when its properties change.
 */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, at, of, top, height, isSelected, isCompact, isNarrow, actions, words } = props;
  const look = `group flex items-center gap-2 border-line border-b pr-2 pl-1.5 ${
    isSelected ? 'bg-accent-soft shadow-[inset_2px_0_var(--accent)]' : 'bg-bg hover:bg-hover/60'
  }`;
  const place = { 'data-item': item.id, 'aria-posinset': at + 1, 'aria-setsize': of, style: { top, height } };
  const parts = (
    <>
      {isCompact && <ReadToggle item={item} setRead={actions.setRead} words={words} />}
      {isCompact ? <OneLine {...props} /> : <TwoLines {...props} />}
      {!isNarrow && <Bookmarks item={item} words={words} className="flex min-w-11 justify-end" />}
      <StarToggle item={item} setStarred={actions.setStarred} words={words} />
    </>
  );
  if (!isNarrow) {
    return (
      <li {...place} className={`absolute inset-x-0 [contain:strict] [overflow-anchor:none] ${look}`}>
        {parts}
      </li>
    );
  }
  return (
    <SwipeRow
      item={item}
      place={place}
      look={look}
      onRead={() => actions.setRead(item.id, !item.is_read)}
      onStar={() => actions.setStarred(item.id, !item.is_starred)}
    >
      {parts}
    </SwipeRow>
  );
});

function OneLine(props: ItemRowProps) {
  const { item, feed, isNarrow, now, words } = props;
  return (
    <>
      {feed && <FeedIcon title={feed.title} url={feed.icon} />}
      {feed && !isNarrow && <span className="w-32 shrink-0 truncate text-ink-3 text-sm">{feed.title}</span>}
      <span className="flex min-w-0 flex-1 items-baseline gap-2">
        <Title {...props} />
        {!isNarrow && <span className="truncate text-ink-3 text-sm">{item.excerpt}</span>}
      </span>
      <ItemTime item={item} now={now} words={words} className="shrink-0 text-ink-3 text-sm" />
    </>
  );
}

function TwoLines(props: ItemRowProps) {
  const { item, feed, isNarrow, now, actions, words } = props;
  return (
    <span className="flex min-w-0 flex-1 items-start gap-2">
      <ReadToggle item={item} setRead={actions.setRead} words={words} className="-mt-[3px]" />
      {feed && <FeedIcon title={feed.title} url={feed.icon} className="mt-[3px]" />}
      <span className="min-w-0 flex-1">
        <Title {...props} />
        <span className="mt-0.5 block truncate text-ink-3 text-sm">
          {feed && <span className={item.is_read ? '' : 'text-ink-2'}>{feed.title} · </span>}
          <ItemTime item={item} now={now} words={words} />
          {!isNarrow && item.excerpt && ` · ${item.excerpt}`}
          {isNarrow && <Bookmarks item={item} words={words} className="ml-2 inline-flex align-top" />}
        </span>
      </span>
    </span>
  );
}

function Title({ item, href, isSelected, isCompact, isNarrow, actions, words }: ItemRowProps) {
  // The wash and the edge of a selected row already show where the focus is.
  const outline = isSelected ? 'focus-visible:after:outline-accent/30' : 'focus-visible:after:outline-accent';
  return (
    <h2 className="flex min-w-0 max-w-full shrink-0">
      <a
        href={href}
        draggable={false}
        data-title
        aria-expanded={false}
        lang={languageOf(item.title)}
        dir="auto"
        onClick={(event) => {
          // With a modifier the browser opens a tab or a window.
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          actions.open(item.id);
        }}
        className={`min-w-0 text-start outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 ${outline} ${
          isNarrow && !isCompact ? 'line-clamp-2 wrap-anywhere' : 'truncate'
        } ${item.is_read ? 'text-ink-2' : 'font-semibold text-ink'}`}
      >
        {item.title || words.untitled}
        {!item.is_read && <span className="sr-only">, {words.unread}</span>}
      </a>
    </h2>
  );
}
