import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { useDrop } from './drag';
import { FeedRow } from './feed-row';
import type { FolderTask } from './folder-dialog';
import { FolderGroup } from './folder-group';
import type { SidebarActions } from './sidebar-actions';
import type { Folder, Subscription, Tree } from './tree';
import { useFolds } from './use-folds';

type FeedTreeProps = {
  tree: Tree | null;
  folders: readonly Folder[];
  error: unknown;
  onRetry: () => void;
  actions: SidebarActions;
  onTask: (task: FolderTask) => void;
};

/** Folders with their feeds, then feeds in none. */
export function FeedTree({ tree, folders, error, onRetry, actions, onTask }: FeedTreeProps) {
  const { t } = useTranslation('reading');
  const [folded, fold] = useFolds();
  const onNewFolder = useCallback((feed: Subscription) => onTask({ kind: 'new', feed }), [onTask]);
  const { over, target } = useDrop({ onFeed: (feed) => actions.moveFeed(feed, null) });

  if (!tree && error) return <ErrorState error={error} onRetry={onRetry} isInline className="mt-1" />;
  if (!tree) return <SkeletonLines lines={6} className="px-2.5 pt-2" />;
  if (tree.folders.length === 0 && tree.loose.length === 0) {
    return <p className="px-2.5 py-1.5 text-ink-3 text-sm">{t('sidebar.none')}</p>;
  }
  const rowProps = { folders, actions, onNewFolder };
  return (
    <>
      <ul>
        {tree.folders.map((folder) => (
          <FolderGroup
            key={folder.id}
            folder={folder}
            of={tree.folders.length}
            isFolded={folded.has(folder.id)}
            onFold={fold}
            actions={actions}
            onRename={(renamed) => onTask({ kind: 'rename', folder: renamed })}
          >
            {folder.feeds.map((feed) => (
              <FeedRow key={feed.id} feed={feed} isIndented {...rowProps} />
            ))}
          </FolderGroup>
        ))}
      </ul>
      <ul
        className={cn(
          'min-h-10 rounded-md',
          tree.folders.length > 0 && 'mt-1',
          over && 'bg-accent-soft outline-2 outline-accent outline-dashed -outline-offset-2',
        )}
        {...target}
      >
        {tree.loose.map((feed) => (
          <FeedRow key={feed.id} feed={feed} {...rowProps} />
        ))}
      </ul>
    </>
  );
}
