import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { languageOf } from '@/shared/content/prepare';
import { cn } from '@/shared/lib/cn';
import { MenuItem, MenuSeparator } from '@/shared/ui/menu';
import { say } from '@/shared/ui/say';
import { Count } from './count';
import { dragFolder, useDrop } from './drag';
import { row, wholeRow } from './row';
import { RowMenu } from './row-menu';
import type { SidebarActions } from './sidebar-actions';
import type { FolderNode } from './tree';
import { takeFocus, wantFocus } from './wanted-focus';

type FolderGroupProps = {
  folder: FolderNode;
  /** How many folders there are. */
  of: number;
  isFolded: boolean;
  onFold: (id: string, isFolded?: boolean) => void;
  actions: SidebarActions;
  onRename: (folder: FolderNode) => void;
  children: ReactNode;
};

/** A folder with its feeds. Alt+↑ and Alt+↓ move it, as dragging does; ← and → fold it. */
export function FolderGroup(props: FolderGroupProps) {
  const { folder, of, isFolded, onFold, actions, onRename, children } = props;
  const { t } = useTranslation('reading');
  const id = useId();
  const ref = useRef<HTMLLIElement>(null);
  // Also for feeds that were moved into it while it is folded: they have no row then.
  useEffect(() => takeFocus(ref.current, [folder.id, ...(isFolded ? folder.feeds.map((feed) => feed.id) : [])]));
  const move = (position: number) => {
    if (position < 0 || position >= of) return;
    wantFocus(folder.id);
    actions.moveFolder(folder.id, position);
    say(t('sidebar.position', { name: folder.name, at: position + 1, of }));
  };
  const remove = () => {
    const item = ref.current;
    const next = item?.nextElementSibling ?? item?.previousElementSibling ?? item?.closest('nav');
    next?.querySelector('a')?.focus();
    actions.deleteFolder(folder);
  };
  const { over, target } = useDrop({
    onFeed: (feed) => actions.moveFeed(feed, folder),
    onFolder: (moved) => moved.id !== folder.id && actions.moveFolder(moved.id, folder.position),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      move(folder.position + (event.key === 'ArrowUp' ? -1 : 1));
    } else if (!event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      onFold(folder.id, event.key === 'ArrowLeft');
    } else return;
    event.preventDefault();
  };
  return (
    <li
      ref={ref}
      className={cn(
        'rounded-md',
        over === 'feed' && 'bg-accent-soft outline-2 outline-accent outline-dashed -outline-offset-2',
        over === 'folder' && 'shadow-[0_-2px_var(--accent)]',
      )}
      {...target}
    >
      <div className={cn(row, 'pl-1')} {...dragFolder(folder)}>
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={isFolded ? undefined : `${id}-feeds`}
          aria-label={isFolded ? t('sidebar.unfold', { name: folder.name }) : t('sidebar.fold', { name: folder.name })}
          onClick={() => onFold(folder.id)}
          className="relative z-1 grid size-6 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover max-md:-mr-2.5 max-md:-ml-2 max-md:size-11"
        >
          <ChevronRight aria-hidden className={cn('size-4 transition-transform', !isFolded && 'rotate-90')} />
        </button>
        <Link
          to="/folders/$folderId"
          params={{ folderId: folder.id }}
          draggable={false}
          lang={languageOf(folder.name)}
          aria-describedby={folder.unread > 0 ? `${id}-count` : undefined}
          onKeyDown={onKeyDown}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          className={cn(wholeRow, '-ml-0.5 font-semibold')}
        >
          {folder.name}
        </Link>
        <RowMenu name={folder.name}>
          <MenuItem onSelect={() => onRename(folder)}>
            <Pencil aria-hidden />
            {t('sidebar.rename')}
          </MenuItem>
          <MenuItem onSelect={() => move(folder.position - 1)} disabled={folder.position === 0} shortcut="Alt+↑">
            <ArrowUp aria-hidden />
            {t('sidebar.moveUp')}
          </MenuItem>
          <MenuItem onSelect={() => move(folder.position + 1)} disabled={folder.position === of - 1} shortcut="Alt+↓">
            <ArrowDown aria-hidden />
            {t('sidebar.moveDown')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem isDanger onSelect={remove}>
            <Trash2 aria-hidden />
            {t('sidebar.deleteFolder')}
          </MenuItem>
        </RowMenu>
        <Count id={`${id}-count`} count={folder.unread} />
      </div>
      {!isFolded && <ul id={`${id}-feeds`}>{children}</ul>}
    </li>
  );
}
