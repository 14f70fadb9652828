import { ArrowLeft, CircleDashed, CircleDot } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Item, useItem } from '../api/items';
import { useStable } from '../lib/use-stable';
import { IconButton } from '../ui/icon-button';
import { Article } from './article';
import { type Neighbours, Steps, useFetchedAhead } from './open-item';
import { type RowActions, type RowFeed, StarToggle } from './row-parts';
import { useRowWords } from './row-words';

type ArticlePageProps = {
  id: string;
  known?: Item;
  feedOf: (item: Item) => RowFeed;
  neighbours: Neighbours;
  actions: RowActions;
  onOpen: (id: string | null) => void;
};

const titleIn = (where: Element | null) => where?.querySelector<HTMLElement>('[data-title]');

/** When it is closed, the focus goes to its row in the list, which can have it again by then. */
function useFocusBack(id: string): void {
  const focus = useStable(() => {
    const row = document.querySelector(`[data-item="${id}"]`);
    requestAnimationFrame(() => titleIn(row)?.focus({ preventScroll: true }));
  });
  useEffect(() => focus, [focus]);
}

/** An article over the whole pane: on phones, and for what is not in the list that was asked for. */
export function ArticlePage({ id, known, feedOf, neighbours, actions, onOpen }: ArticlePageProps) {
  const { t } = useTranslation('reading');
  const detail = useItem(id);
  const item = known ?? detail.data;
  const box = useRef<HTMLDivElement>(null);
  const words = useRowWords();
  useFetchedAhead(neighbours.next);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another article begins at its top
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    (titleIn(box.current) ?? box.current)?.focus({ preventScroll: true });
  }, [id]);
  useFocusBack(id);
  return (
    <div className="absolute inset-0 z-10 flex animate-fade-in flex-col bg-surface">
      <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b px-2">
        <IconButton label={t('article.backToList')} shortcut="Esc" onClick={() => onOpen(null)}>
          <ArrowLeft />
        </IconButton>
        <span className="min-w-0 flex-1 truncate px-1 text-ink-2 text-sm">{item && feedOf(item).title}</span>
        {item && (
          <>
            <IconButton
              label={item.is_read ? t('list.markUnread') : t('list.markRead')}
              shortcut="m"
              onClick={() => actions.setRead(item.id, !item.is_read)}
            >
              {item.is_read ? <CircleDashed /> : <CircleDot className="text-accent" />}
            </IconButton>
            <StarToggle item={item} setStarred={actions.setStarred} words={words} />
          </>
        )}
      </header>
      <div ref={box} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none">
        <Article id={id} known={known} level={1} footer={<Steps neighbours={neighbours} onOpen={onOpen} />} />
      </div>
    </div>
  );
}
