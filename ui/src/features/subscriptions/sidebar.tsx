import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Activity, Command, FolderPlus, PanelLeftClose, Plus, Settings } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '@/shared/api/me';
import { useLanguage } from '@/shared/i18n/use-language';
import { setPaletteOpen } from '@/shared/layout/palette';
import { usePanes } from '@/shared/layout/panes';
import { cn } from '@/shared/lib/cn';
import { Button } from '@/shared/ui/button';
import { IconButton } from '@/shared/ui/icon-button';
import { lazyPart } from '@/shared/ui/lazy-part';
import { Mark, Wordmark } from '@/shared/ui/mark';
import { Tooltip } from '@/shared/ui/tooltip';
import { FeedTree } from './feed-tree';
import type { FolderTask } from './folder-dialog';
import { PlaceLinks } from './place-links';
import { row, wholeRow } from './row';
import { useSidebarActions } from './sidebar-actions';
import { useTree } from './use-tree';

const FolderDialog = lazyPart(() => import('./folder-dialog'), 'FolderDialog', 'dialog');

/** From this width on the name fits beside the buttons, in pixels. */
const ROOM_FOR_WORD = 256;

/** The left pane: places, folders and feeds; at its edge, whatever else belongs to it. */
export function Sidebar({ children }: { children?: ReactNode }) {
  const { t } = useTranslation(['reading', 'common']);
  const { width, isNarrow, toggleSidebar, closeSheet } = usePanes();
  const { data: me } = useQuery(meQuery);
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
          {/* Half a word is worse than none. */}
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
            setPaletteOpen(true);
          }}
        >
          <Command />
        </IconButton>
        <IconButton label={t('common:hideSidebar')} onClick={toggleSidebar}>
          <PanelLeftClose />
        </IconButton>
      </div>
      <PlaceLinks unread={tree?.unread ?? 0} />
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
      <div className="flex gap-1 border-line border-t p-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))]">
        <div className={cn(row, 'flex-1')}>
          <Settings aria-hidden className="size-4 shrink-0" />
          <Link to="/settings" className={wholeRow}>
            {t('common:settings')}
          </Link>
        </div>
        {me?.role === 'owner' && (
          <div className={cn(row, 'flex-1')}>
            <Activity aria-hidden className="size-4 shrink-0" />
            <Link to="/health" className={wholeRow}>
              {t('common:health')}
            </Link>
          </div>
        )}
      </div>
      {task && (
        <Suspense>
          <FolderDialog task={task} actions={actions} onClose={close} />
        </Suspense>
      )}
      {children}
    </nav>
  );
}
