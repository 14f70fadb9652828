import { Bookmark, Star } from 'lucide-react';
import type { Item } from '../api/items';
import { relativeTime } from '../i18n/time';
import { tellExactly } from '../ui/time';
import type { RowWords } from './row-words';

/** The feed of an item, as rows show it. */
export type RowFeed = { title: string; icon: string | null };

export type RowActions = {
  open: (id: string) => void;
  setRead: (id: string, isRead: boolean) => void;
  setStarred: (id: string, isStarred: boolean) => void;
};

type ReadToggleProps = { item: Item; setRead: RowActions['setRead']; words: RowWords; className?: string };

/** The dot of what is unread; pressing it makes it read, or unread again. */
export function ReadToggle({ item, setRead, words, className = '' }: ReadToggleProps) {
  const label = item.is_read ? words.markUnread : words.markRead;
  const dot = item.is_read
    ? 'before:border before:border-line-strong before:opacity-0 group-focus-within:before:opacity-100 group-hover:before:opacity-100 pointer-coarse:before:opacity-100'
    : 'before:bg-accent forced-colors:before:bg-[CanvasText]';
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={() => setRead(item.id, !item.is_read)}
      className={`relative z-1 grid size-7 shrink-0 place-items-center rounded-md before:size-2 before:rounded-full hover:bg-hover max-md:-mr-1 max-md:after:absolute max-md:after:-inset-2 ${dot} ${className}`}
    />
  );
}

type StarToggleProps = { item: Item; setStarred: RowActions['setStarred']; words: RowWords };

export function StarToggle({ item, setStarred, words }: StarToggleProps) {
  const label = item.is_starred ? words.unstar : words.star;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={item.is_starred}
      onClick={() => setStarred(item.id, !item.is_starred)}
      className="relative z-1 grid size-8 shrink-0 place-items-center rounded-md hover:bg-hover max-md:size-11"
    >
      <Star
        aria-hidden
        className={`size-[17px] stroke-[1.75] ${item.is_starred ? 'fill-star text-star' : 'text-line-strong'}`}
      />
    </button>
  );
}

/** 1,234: as both languages write it, and without the browser's own formats, whose first use takes longer than a list. */
const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Bookmarks at Hatena, where they are known and wanted. */
export function Bookmarks({ item, words, className }: { item: Item; words: RowWords; className: string }) {
  if (!words.hasBookmarks || item.hatebu_fetched_at === null) return null;
  const { hatebu_count: count } = item;
  const label = words.bookmarks(count);
  const look = count >= 100 ? 'font-medium text-accent' : count >= 10 ? 'text-ink-2' : 'text-ink-3';
  return (
    <span
      role="img"
      title={label}
      aria-label={label}
      className={`tabular relative z-1 shrink-0 items-center gap-1 text-sm ${look} ${className}`}
    >
      <Bookmark aria-hidden className="size-3.5 stroke-[1.75]" />
      {grouped(count)}
    </span>
  );
}

type ItemTimeProps = { item: Item; now: number; words: RowWords; className?: string };

/** When it was published; with "≈" where that is only known roughly. */
export function ItemTime({ item, now, words, className = '' }: ItemTimeProps) {
  const { published_at: at, is_date_estimated: isEstimated } = item;
  return (
    <time
      dateTime={at}
      title={isEstimated ? words.estimated(at) : undefined}
      onPointerEnter={isEstimated ? undefined : tellExactly(words.language)}
      // Under a finger it is part of the row; a mouse finds the exact time there.
      className={`pointer-fine:relative pointer-fine:z-1 ${className}`}
    >
      {isEstimated && '≈ '}
      {relativeTime(at, now, words.language)}
    </time>
  );
}
