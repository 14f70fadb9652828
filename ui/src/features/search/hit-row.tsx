import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { languageOf } from '@/shared/content/prepare';
import type { RowFeed } from '@/shared/content/row-parts';
import { cn } from '@/shared/lib/cn';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { Time } from '@/shared/ui/time';
import { Marked } from './marked';

type HitRowProps = {
  hit: Schema<'SearchResultView'>;
  terms: readonly string[];
  feed: RowFeed;
  isChosen: boolean;
  onOpen: (id: string) => void;
  /** The article in its place, while it is open. */
  children: ReactNode;
};

/** A search result. */
export const HitRow = memo(function HitRow(props: HitRowProps) {
  const { hit, terms, feed, isChosen, onOpen, children } = props;
  const { t } = useTranslation('reader');
  const isOpen = children !== null;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'start' });
    if (!isChosen || row.current?.contains(document.activeElement)) return;
    row.current?.querySelector<HTMLElement>('[data-title]')?.focus();
  }, [isOpen, isChosen]);
  if (children) {
    return (
      <li ref={row} data-item={hit.id}>
        {children}
      </li>
    );
  }
  return (
    <li
      ref={row}
      data-item={hit.id}
      // Only visible results are laid out and painted.
      className="relative border-line border-b px-5 py-3 [contain-intrinsic-size:auto_108px] [content-visibility:auto] hover:bg-hover/60 max-md:px-4"
    >
      <h2 className="flex min-w-0">
        <button
          type="button"
          data-title
          aria-expanded={false}
          lang={languageOf(hit.title)}
          dir="auto"
          onClick={() => onOpen(hit.id)}
          className={cn(
            'text-start outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2',
            hit.is_read ? 'text-ink-2' : 'font-semibold',
          )}
        >
          {hit.title ? <Marked text={hit.title} terms={terms} /> : t('search.untitled')}
        </button>
      </h2>
      {hit.snippet && (
        <p className="mt-1 line-clamp-2 text-ink-2 text-sm [overflow-wrap:anywhere]">
          <Marked text={hit.snippet} terms={terms} />
        </p>
      )}
      <p className="mt-1.5 flex min-w-0 items-center gap-2 text-ink-3 text-sm">
        <FeedIcon title={feed.title} url={feed.icon} />
        <span className="truncate">
          <Marked text={feed.title} terms={terms} />
        </span>
        <span aria-hidden>·</span>
        <Time at={hit.published_at} className="shrink-0" />
      </p>
    </li>
  );
});
