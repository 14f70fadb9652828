import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Item, itemQuery } from '../api/items';
import { Button } from '../ui/button';
import { FeedIcon } from '../ui/feed-icon';
import { Article } from './article';
import { Bookmarks, ReadToggle, type RowActions, type RowFeed, StarToggle } from './row-parts';
import { useRowWords } from './row-words';

export type Neighbours = { previous: Item | null; next: Item | null };

type OpenItemProps = {
  item: Item;
  feed: RowFeed;
  neighbours: Neighbours;
  actions: RowActions;
  onOpen: (id: string | null) => void;
};

/** An item that is open in the list: a thin bar that stays in view and closes it, and the article below, whose title gets the focus. */
export function OpenItem({ item, feed, neighbours, actions, onOpen }: OpenItemProps) {
  const { t } = useTranslation('reading');
  const words = useRowWords();
  useFetchedAhead(neighbours.next);
  return (
    <div className="animate-fade-in border-line border-b bg-surface shadow-[inset_2px_0_var(--accent)]">
      <div className="group sticky top-0 z-1 flex h-11 items-center gap-2 bg-surface pr-2 pl-1.5 shadow-[inset_2px_0_var(--accent),inset_0_-1px_var(--line)]">
        <ReadToggle item={item} setRead={actions.setRead} words={words} />
        <FeedIcon title={feed.title} url={feed.icon} />
        <button
          type="button"
          aria-expanded
          onClick={() => onOpen(null)}
          className="flex min-w-0 flex-1 items-center gap-2 self-stretch text-left text-ink-2 text-sm outline-offset-[-4px]"
        >
          <span className="truncate">{feed.title}</span>
          <span className="sr-only">{t('article.close')}</span>
          <ChevronUp aria-hidden className="ml-auto size-4 shrink-0 text-ink-3" />
        </button>
        <Bookmarks item={item} words={words} className="flex min-w-11 justify-end" />
        <StarToggle item={item} setStarred={actions.setStarred} words={words} />
      </div>
      <Article id={item.id} known={item} footer={<Steps neighbours={neighbours} onOpen={onOpen} />} />
    </div>
  );
}

export function Steps({ neighbours, onOpen }: Pick<OpenItemProps, 'neighbours' | 'onOpen'>): ReactNode {
  const { t } = useTranslation('reading');
  const { previous, next } = neighbours;
  return (
    <>
      <Button look="quiet" disabled={!previous} onClick={() => previous && onOpen(previous.id)} className="-ml-3.5">
        <ChevronLeft aria-hidden className="size-4" />
        {t('article.previous')}
      </Button>
      <Button look="quiet" disabled={!next} onClick={() => next && onOpen(next.id)} className="-mr-3.5">
        {t('article.next')}
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </>
  );
}

/** The text of what is probably read next is there before it is asked for. */
export function useFetchedAhead(next: Item | null): void {
  const client = useQueryClient();
  const id = next?.id;
  useEffect(() => {
    if (id) void client.prefetchQuery(itemQuery(id));
  }, [client, id]);
}
