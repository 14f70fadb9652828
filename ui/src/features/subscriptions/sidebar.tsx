import { Link } from '@tanstack/react-router';
import { Command, FolderPlus, PanelLeftClose, Plus } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/shared/i18n/use-language';
import type { Destination } from '@/shared/layout/destinations';
import { paletteOpen } from '@/shared/layout/palette';
import { usePanes } from '@/shared/layout/panes';
import { Button } from '@/shared/ui/button';
import { IconButton } from '@/shared/ui/icon-button';
import { lazyPart } from '@/shared/ui/lazy-part';
import { Mark, Wordmark } from '@/shared/ui/mark';
import { Tooltip } from '@/shared/ui/tooltip';
import { FeedTree } from './feed-tree';
import type { FolderTask } from './folder-dialog';
import { PlaceLinks } from './place-links';
import { useSidebarActions } from './sidebar-actions';
import { useTree } from './use-tree';

const FolderDialog = lazyPart(() => import('./folder-dialog'), 'FolderDialog', 'dialog');

/** The width in pixels from which the name fits beside the buttons. */
const ROOM_FOR_WORD = 256;

type SidebarProps = { destinations: readonly Destination[]; children?: ReactNode };

/** The left pane: pages, folders and feeds. Its children are drawn at its edge. */
export function Sidebar({ destinations, children }: SidebarProps) {
  const { t } = useTranslation(['reading', 'common']);
  const { width, isNarrow, toggleSidebar, closeSheet } = usePanes();
  const { tree, folders, error, refetch } = useTree(useLanguage());
  const actions = useSidebarActions();
  const [task, setTask] = useState<FolderTask | null>(null);
  const close = useCallback(() => setTask(null), []);
  return (
    <nav aria-label={t('common:feeds')} className="flex h-full flex-col pt-2">
      <div className="flex items-center gap-0.5 pr-2 pb-2 pl-3">
        <Link
          to="/"
          search={{ filter: 'all' }}
          aria-label={t('common:name')}
          className="mr-auto shrink-0 rounded-md px-2 py-1 max-md:py-2.5"
        >
          {isNarrow || width >= ROOM_FOR_WORD ? <Wordmark /> : <Mark />}
        </Link>
        <Tooltip text={t('sidebar.addFeed')} isLabel>
          <Button asChild look="quiet" size="icon">
            <Link to="." search={(search) => ({ ...search, add: '' })} aria-label={t('sidebar.addFeed')}>
              <Plus aria-hidden />
            </Link>
          </Button>
        </Tooltip>
        <IconButton
          label={t('keys.palette')}
          shortcut="Ctrl+K"
          onClick={() => {
            closeSheet();
            paletteOpen.set(true);
          }}
        >
          <Command />
        </IconButton>
        <IconButton label={t('common:hideSidebar')} onClick={toggleSidebar}>
          <PanelLeftClose />
        </IconButton>
      </div>
      <PlaceLinks
        destinations={destinations.filter(({ where }) => where !== 'foot')}
        unread={tree?.unread ?? 0}
        className="px-3"
      />
      <div className="mt-4 flex items-center justify-between pr-2 pl-5">
        <h2 className="text-ink-3 text-sm">{t('common:feeds')}</h2>
        <IconButton
          label={t('sidebar.newFolder')}
          className="size-7"
          onClick={() => setTask({ kind: 'new', feed: null })}
        >
          <FolderPlus />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        <FeedTree tree={tree} folders={folders} error={error} onRetry={refetch} actions={actions} onTask={setTask} />
      </div>
      <PlaceLinks
        destinations={destinations.filter(({ where }) => where === 'foot')}
        className="flex gap-1 border-line border-t p-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))]"
      />
      {task && <FolderDialog task={task} actions={actions} onClose={close} />}
      {children}
    </nav>
  );
}
