import { useMemo } from 'react';
import { useFolders, useSubscriptions } from '@/shared/api/subscriptions';
import { treeOf } from './tree';

/** Folders and feeds in the order of the sidebar; null until they are loaded. */
export function useTree(language: string) {
  const subscriptions = useSubscriptions();
  const folders = useFolders();
  const tree = useMemo(
    () => (subscriptions.data && folders.data ? treeOf(subscriptions.data, folders.data, language) : null),
    [subscriptions.data, folders.data, language],
  );
  // The same object until a folder changes: unread counts must not redraw all rows.
  const sorted = useMemo(() => [...(folders.data ?? [])].sort((a, b) => a.position - b.position), [folders.data]);
  const refetch = () => {
    void subscriptions.refetch();
    void folders.refetch();
  };
  return { tree, folders: sorted, error: subscriptions.error ?? folders.error, refetch };
}
