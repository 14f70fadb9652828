import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '@/shared/api/client';
import { folderKeys } from '@/shared/api/subscriptions';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { useSubmit } from '@/shared/ui/use-submit';
import type { SidebarActions } from './sidebar-actions';
import type { Folder, Subscription } from './tree';

/** What the dialog does: it renames a folder, or creates one and moves `feed` into it. */
export type FolderTask = { kind: 'rename'; folder: Folder } | { kind: 'new'; feed: Subscription | null };

type FolderDialogProps = { task: FolderTask; actions: SidebarActions; onClose: () => void };

export function FolderDialog({ task, actions, onClose }: FolderDialogProps) {
  const { t } = useTranslation(['reading', 'common']);
  const [name, setName] = useState(task.kind === 'rename' ? task.folder.name : '');
  const save = useSubmit({
    request: async () => {
      if (task.kind === 'new') return body(api.POST('/api/folders', { body: { name: name.trim() } }));
      if (name.trim() !== task.folder.name) actions.renameFolder(task.folder.id, name.trim());
      return null;
    },
    changes: task.kind === 'new' ? [folderKeys.all] : [],
    onDone: (folder) => {
      if (folder && task.kind === 'new' && task.feed) actions.moveFeed(task.feed, folder);
      onClose();
    },
    fields: ['name'],
  });
  const title = task.kind === 'rename' ? t('sidebar.renameFolder') : t('sidebar.newFolder');
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form onSubmit={save.onSubmit}>
        <DialogBody className="space-y-4">
          <FormField
            label={t('sidebar.folderName')}
            error={save.problems.name}
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {save.error && <ErrorState error={save.error} isInline />}
        </DialogBody>
        <DialogActions
          onCancel={onClose}
          submit={task.kind === 'rename' ? t('common:save') : t('sidebar.create')}
          isBusy={save.isBusy}
          disabled={name.trim() === ''}
        />
      </form>
    </Dialog>
  );
}
