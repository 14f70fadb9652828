import { useMutation, useQueryClient } from '@tanstack/react-query';
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

type Move = { feed: Subscription; folder: Folder | null };
type FolderChange = { id: string; name: string } | { id: string; position: number };

/** The actions of the sidebar. */
export function useSidebarActions() {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  const enqueueDelete = useEnqueueDelete();
  const move = {
    request: async ({ feed: { id }, folder_id }: { feed: Subscription; folder_id: string | null }) => {
      await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path: { id } }, body: { folder_id } }));
      await client.invalidateQueries({ queryKey: itemKeys.lists, refetchType: 'none' });
    },
    optimistic: (_: unknown, { feed, folder_id }: { feed: Subscription; folder_id: string | null }) =>
      client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) =>
        all?.map((one) => (one.id === feed.id ? { ...one, folder_id } : one)),
      ),
  };
  const { mutate: moveBack } = useAction(move);
  const { mutate: moveFeed } = useAction({
    request: ({ feed, folder }: Move) => move.request({ feed, folder_id: folder?.id ?? null }),
    optimistic: (_, { feed, folder }) => move.optimistic(_, { feed, folder_id: folder?.id ?? null }),
    undo: ({ feed, folder }) => ({
      message: folder ? t('sidebar.movedTo', { name: folder.name }) : t('sidebar.movedOut'),
      undo: () => {
        wantFocus(feed.id);
        moveBack({ feed, folder_id: feed.folder_id });
      },
    }),
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
  const { mutate: refresh } = useAction({
    request: refreshFeed,
    done: t('sidebar.refreshing'),
  });
  return useMemo(
    () => ({
      moveFeed: (feed: Subscription, folder: Folder | null) => {
        if (feed.folder_id !== (folder?.id ?? null)) moveFeed({ feed, folder });
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

/** Creates a folder. The form that calls it shows errors. */
export function useAddFolder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => body(api.POST('/api/folders', { body: { name } })),
    onSuccess: (folder) => client.setQueryData<Folder[]>(folderKeys.all, (all) => all && [...all, folder]),
  });
}
