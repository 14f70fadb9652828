import { Star } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Item } from '@/shared/api/items';
import { exactTime } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { cn } from '@/shared/lib/cn';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { Time } from '@/shared/ui/time';
import { SwipeRow } from './swipe-row';

export type RowFeed = { title: string; icon: string | null };

export type RowActions = {
  open: (id: string) => void;
  setRead: (id: string, isRead: boolean) => void;
  setStarred: (id: string, isStarred: boolean) => void;
};

type ItemRowProps = {
  item: Item;
  /** Left out where all items are of one feed. */
  feed: RowFeed | null;
  isSelected: boolean;
  isCompact: boolean;
  isNarrow: boolean;
  actions: RowActions;
};

/** An item in the list. The title opens it, and is as large as the whole row. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, feed, isSelected, isCompact, isNarrow, actions } = props;
  const { t } = useTranslation('reading');
  const title = (
    <button
      type="button"
      data-title
      aria-expanded={false}
      onClick={() => actions.open(item.id)}
      className={cn(
        'min-w-0 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2',
        isNarrow && !isCompact ? 'line-clamp-2' : 'truncate',
        item.is_read ? 'text-ink-2' : 'font-semibold text-ink',
      )}
    >
      {item.title || t('list.untitled')}
    </button>
  );
  const row = (
    <div
      className={cn(
        'group relative flex h-full items-center gap-2 border-line border-b bg-bg pr-2 pl-1.5 hover:bg-hover/60',
        isSelected && 'bg-accent-soft shadow-[inset_2px_0_var(--accent)] hover:bg-accent-soft',
      )}
    >
      <ReadToggle item={item} setRead={actions.setRead} />
      {isCompact ? (
        <>
          {feed && <FeedIcon title={feed.title} url={feed.icon} />}
          {feed && !isNarrow && <span className="w-32 shrink-0 truncate text-ink-3 text-sm">{feed.title}</span>}
          <span className="flex min-w-0 flex-1 items-baseline gap-2">
            <span className="flex min-w-0 shrink-0 max-w-full">{title}</span>
            {!isNarrow && <span className="truncate text-ink-3 text-sm">{item.excerpt}</span>}
          </span>
          <ItemTime item={item} className="shrink-0 text-ink-3 text-sm" />
        </>
      ) : (
        <span className="flex min-w-0 flex-1 items-start gap-2.5">
          {feed && <FeedIcon title={feed.title} url={feed.icon} className="mt-[3px]" />}
          <span className="min-w-0 flex-1">
            <span className="flex min-w-0">{title}</span>
            <span className="mt-0.5 block truncate text-ink-3 text-sm">
              {feed && <span className={item.is_read ? '' : 'text-ink-2'}>{feed.title} · </span>}
              <ItemTime item={item} />
              {!isNarrow && item.excerpt && <span> · {item.excerpt}</span>}
            </span>
          </span>
        </span>
      )}
      {!(isNarrow && isCompact) && <Bookmarks item={item} />}
      <StarToggle item={item} setStarred={actions.setStarred} />
    </div>
  );
  if (!isNarrow) return row;
  return (
    <SwipeRow
      item={item}
      onRead={() => actions.setRead(item.id, !item.is_read)}
      onStar={() => actions.setStarred(item.id, !item.is_starred)}
    >
      {row}
    </SwipeRow>
  );
});

/** The dot of what is unread; pressing it makes it read, or unread again. */
export function ReadToggle({ item, setRead }: { item: Item; setRead: RowActions['setRead'] }) {
  const { t } = useTranslation('reading');
  const label = item.is_read ? t('list.markUnread') : t('list.markRead');
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={() => setRead(item.id, !item.is_read)}
      className="relative z-1 grid size-7 shrink-0 place-items-center rounded-md hover:bg-hover max-md:-mr-1"
    >
      <span
        className={cn(
          'size-2 rounded-full',
          item.is_read
            ? 'border border-line-strong opacity-0 group-focus-within:opacity-100 group-hover:opacity-100'
            : 'bg-accent',
        )}
      />
    </button>
  );
}

export function StarToggle({ item, setStarred }: { item: Item; setStarred: RowActions['setStarred'] }) {
  const { t } = useTranslation('reading');
  const label = item.is_starred ? t('list.unstar') : t('list.star');
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
        className={cn('size-[17px] stroke-[1.75]', item.is_starred ? 'fill-star text-star' : 'text-line-strong')}
      />
    </button>
  );
}

/** Bookmarks at Hatena: "–" as long as nobody has counted. */
export function Bookmarks({ item }: { item: Item }) {
  const { t } = useTranslation('reading');
  const language = useLanguage();
  const isKnown = item.hatebu_fetched_at !== null;
  const label = isKnown ? t('list.bookmarks', { count: item.hatebu_count }) : t('list.bookmarksUnknown');
  return (
    <span
      title={label}
      className={cn(
        'tabular relative z-1 min-w-8 shrink-0 text-right text-sm',
        isKnown && item.hatebu_count >= 10 ? 'font-medium text-accent' : 'text-ink-3',
      )}
    >
      <span aria-hidden>{isKnown ? item.hatebu_count.toLocaleString(language) : '–'}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

function ItemTime({ item, className }: { item: Item; className?: string }) {
  const { t } = useTranslation('reading');
  const language = useLanguage();
  if (!item.is_date_estimated) return <Time at={item.published_at} className={cn('relative z-1', className)} />;
  return (
    <span
      title={t('list.estimated', { time: exactTime(item.published_at, language) })}
      className={cn('relative z-1', className)}
    >
      ≈ <Time at={item.published_at} />
    </span>
  );
}
