import { Star, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { Article } from '@/shared/content/article';
import { cn } from '@/shared/lib/cn';
import { Button } from '@/shared/ui/button';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { Time } from '@/shared/ui/time';
import { Marked } from './marked';

type HitRowProps = {
  hit: Schema<'FoundItemView'>;
  terms: readonly string[];
  feed: { title: string; icon: string | null };
  isOpen: boolean;
  onToggle: (id: string) => void;
  onStar: (id: string, isStarred: boolean) => void;
};

/** Something that was found; opened, the article itself, in its place. */
export function HitRow({ hit, terms, feed, isOpen, onToggle, onStar }: HitRowProps) {
  const { t } = useTranslation(['reader', 'reading']);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'start' });
  }, [isOpen]);
  if (isOpen) {
    return (
      <li ref={row} className="border-line border-b">
        <Article
          id={hit.id}
          known={hit}
          feedTitle={feed.title}
          actions={
            <Button size="sm" look="quiet" onClick={() => onStar(hit.id, !hit.is_starred)}>
              <Star aria-hidden className={cn('size-4', hit.is_starred && 'fill-star text-star')} />
              {t(hit.is_starred ? 'reading:list.unstar' : 'reading:list.star')}
            </Button>
          }
          footer={
            <Button look="quiet" size="sm" onClick={() => onToggle(hit.id)}>
              <X aria-hidden className="size-4" />
              {t('search.close')}
            </Button>
          }
        />
      </li>
    );
  }
  return (
    <li ref={row} className="relative border-line border-b px-5 py-3 hover:bg-hover/60 max-md:px-4">
      <h2 className="flex min-w-0">
        <button
          type="button"
          aria-expanded={false}
          onClick={() => onToggle(hit.id)}
          className={cn(
            'text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2',
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
}
