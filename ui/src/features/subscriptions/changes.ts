import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, done } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { Problem } from '@/shared/api/problem';
import { folderKeys, subscriptionKeys } from '@/shared/api/subscriptions';
import { problemText } from '@/shared/i18n/problem-text';
import { toast } from '@/shared/ui/toast-store';
import { type Folder, reordered, type Subscription } from './tree';
import { wantFocus } from './wanted-focus';

const setFeeds = (client: QueryClient, change: (all: Subscription[]) => Subscription[]) =>
  client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all && change(all));
const setFolders = (client: QueryClient, change: (all: Folder[]) => Folder[]) =>
  client.setQueryData<Folder[]>(folderKeys.all, (all) => all && change(all));

/** What can be done in the sidebar: shown at once, taken back if the server refuses. */
export function useChanges() {
  const { t } = useTranslation('reading');
  const client = useQueryClient();
  const { mutate: send } = useMutation({
    scope: { id: 'sidebar' },
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => {
      toast({ message: error instanceof Problem ? problemText(error).message : t('sidebar.notChanged'), tone: 'bad' });
      void client.invalidateQueries({ queryKey: subscriptionKeys.all });
      void client.invalidateQueries({ queryKey: folderKeys.all });
    },
  });

  return useMemo(() => {
    const put = (id: string, folderId: string | null) => {
      setFeeds(client, (all) => all.map((one) => (one.id === id ? { ...one, folder_id: folderId } : one)));
      send(async () => {
        const path = { id };
        await body(api.PUT('/api/subscriptions/{id}/settings', { params: { path }, body: { folder_id: folderId } }));
        await client.invalidateQueries({ queryKey: itemKeys.lists, refetchType: 'none' });
      });
    };
    return {
      moveFeed: (feed: Subscription, folder: Folder | null) => {
        if (feed.folder_id === (folder?.id ?? null)) return;
        put(feed.id, folder?.id ?? null);
        const message = folder ? t('sidebar.movedTo', { name: folder.name }) : t('sidebar.movedOut');
        const undo = () => {
          wantFocus(feed.id);
          put(feed.id, feed.folder_id);
        };
        toast({ message, undo });
      },
      moveFolder: (id: string, position: number) => {
        setFolders(client, (all) => reordered(all, id, position));
        send(() => done(api.PATCH('/api/folders/{id}', { params: { path: { id } }, body: { position } })));
      },
      renameFolder: (id: string, name: string) => {
        setFolders(client, (all) => all.map((one) => (one.id === id ? { ...one, name } : one)));
        send(() => done(api.PATCH('/api/folders/{id}', { params: { path: { id } }, body: { name } })));
      },
      /** Sent once it can no longer be taken back. */
      deleteFolder: (folder: Folder) => {
        const kept = client.getQueryData<Folder[]>(folderKeys.all);
        setFolders(client, (all) => all.filter((one) => one.id !== folder.id));
        toast({
          message: t('sidebar.folderDeleted', { name: folder.name }),
          undo: () => kept && client.setQueryData(folderKeys.all, kept),
          settle: () =>
            send(async () => {
              await done(api.DELETE('/api/folders/{id}', { params: { path: { id: folder.id } } }));
              await client.invalidateQueries({ queryKey: subscriptionKeys.all });
            }),
        });
      },
      refresh: (feedId: string) =>
        send(async () => {
          await done(api.POST('/api/feeds/{id}/refresh', { params: { path: { id: feedId } } }));
          toast({ message: t('sidebar.refreshing') });
        }),
    };
  }, [client, send, t]);
}

export type Changes = ReturnType<typeof useChanges>;

/** Makes a folder; errors are for the form that asked. */
export function useAddFolder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => body(api.POST('/api/folders', { body: { name } })),
    onSuccess: (folder) => setFolders(client, (all) => [...all, folder]),
  });
}
