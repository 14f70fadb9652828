import type { Schema } from '@/shared/api/client';

export type Subscription = Schema<'SubscriptionView'>;
export type Folder = Schema<'FolderView'>;
export type FolderNode = Folder & { feeds: Subscription[]; unread: number };
export type Tree = { folders: FolderNode[]; loose: Subscription[]; unread: number };

export const unreadOf = (feeds: readonly Subscription[]): number =>
  feeds.reduce((sum, feed) => sum + feed.unread_count, 0);

/** Folders in their order with their feeds and unread counts, then feeds without a folder. */
export function treeOf(subscriptions: readonly Subscription[], folders: readonly Folder[], language: string): Tree {
  const order = new Intl.Collator(language, { numeric: true });
  const sorted = [...subscriptions].sort((a, b) => order.compare(a.feed_title, b.feed_title));
  const known = new Set(folders.map((folder) => folder.id));
  const nodes = [...folders]
    .sort((a, b) => a.position - b.position)
    .map((folder) => {
      const feeds = sorted.filter((feed) => feed.folder_id === folder.id);
      return { ...folder, feeds, unread: unreadOf(feeds) };
    });
  const loose = sorted.filter((feed) => feed.folder_id === null || !known.has(feed.folder_id));
  return { folders: nodes, loose, unread: unreadOf(sorted) };
}

/** The feed after or before another in the sidebar; without one, the first or the last. */
export function neighbour(tree: Tree, feedId: string | undefined, by: 1 | -1): Subscription | undefined {
  const all = [...tree.folders.flatMap((folder) => folder.feeds), ...tree.loose];
  const at = all.findIndex((feed) => feed.feed_id === feedId);
  if (at < 0) return by === 1 ? all[0] : all.at(-1);
  return all[at + by];
}

/** Folders after one of them was moved to another position. */
export function reordered(folders: readonly Folder[], id: string, position: number): Folder[] {
  const sorted = [...folders].sort((a, b) => a.position - b.position);
  const moved = sorted.find((folder) => folder.id === id);
  if (!moved) return sorted;
  const others = sorted.filter((folder) => folder.id !== id);
  others.splice(Math.max(0, Math.min(position, others.length)), 0, moved);
  return others.map((folder, at) => (folder.position === at ? folder : { ...folder, position: at }));
}
