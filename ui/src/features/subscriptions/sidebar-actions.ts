import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, done } from '@/shared/api/client';
import { useEnqueueDelete } from '@/shared/api/enqueue-delete';
import { refreshFeed } from '@/shared/api/feeds';
import { itemKeys } from '@/shared/api/items';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';
import { useAction } from '@/shared/api/use-action';
import { type Folder, reordered, type Subscription } from './tree';
import { wantFocus } from './wanted-focus';

/** Without a message it cannot be undone: it is the undo. */
type Move = { feed: Subscription; folder_id: string | null; message?: string };
type FolderChange = { id: string; name: string } | { id: string; position: number };

/** The actions of the sidebar. */
export function useSidebarActions() {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  const enqueueDelete = useEnqueueDelete();
  const { mutate: moveFeed } = useAction({
    request: async ({ feed: { id }, folder_id }: Move) => {
      await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path: { id } }, body: { folder_id } }));
      await client.invalidateQueries({ queryKey: itemKeys.lists, refetchType: 'none' });
    },
    optimistic: (_, { feed, folder_id }) =>
      client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) =>
        all?.map((one) => (one.id === feed.id ? { ...one, folder_id } : one)),
      ),
    undo: ({ feed, message }) =>
      message && {
        message,
        undo: () => {
          wantFocus(feed.id);
          moveFeed({ feed, folder_id: feed.folder_id });
        },
      },
  });
  const { mutate: changeFolder } = useAction({
    request: ({ id, ...change }: FolderChange) =>
      done(api.PATCH('/api/folders/{id}', { params: { path: { id } }, body: change })),
    optimistic: (_, change) =>
      client.setQueryData<Folder[]>(folderKeys.all, (all) => {
        if ('position' in change) return all && reordered(all, change.id, change.position);
        return all?.map((one) => (one.id === change.id ? { ...one, name: change.name } : one));
      }),
  });
  const { mutate: refresh } = useAction({ request: refreshFeed, done: t('sidebar.refreshing') });
  return useMemo(
    () => ({
      moveFeed: (feed: Subscription, folder: Folder | null) => {
        const folder_id = folder?.id ?? null;
        const message = folder ? t('sidebar.movedTo', { name: folder.name }) : t('sidebar.movedOut');
        if (feed.folder_id !== folder_id) moveFeed({ feed, folder_id, message });
      },
      moveFolder: (id: string, position: number) => changeFolder({ id, position }),
      renameFolder: (id: string, name: string) => changeFolder({ id, name }),
      deleteFolder: ({ id, name }: Folder) => enqueueDelete('folders', id, t('sidebar.folderDeleted', { name })),
      refresh: (feedId: string) => refresh(feedId),
    }),
    [moveFeed, changeFolder, enqueueDelete, refresh, t],
  );
}

export type SidebarActions = ReturnType<typeof useSidebarActions>;
