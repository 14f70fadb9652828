import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '@/shared/i18n/problem-text';
import { Problem } from '@/shared/lib/problem';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { FormField } from '@/shared/ui/form-field';
import { type SidebarActions, useAddFolder } from './sidebar-actions';
import type { Folder, Subscription } from './tree';

/** What the dialog is for: another name for a folder, or a new folder, perhaps for a feed. */
export type FolderTask = { kind: 'rename'; folder: Folder } | { kind: 'new'; feed: Subscription | null };

export function FolderDialog({
  task,
  actions,
  onClose,
}: {
  task: FolderTask;
  actions: SidebarActions;
  onClose: () => void;
}) {
  const { t } = useTranslation(['reading', 'common']);
  const add = useAddFolder();
  const [name, setName] = useState(task.kind === 'rename' ? task.folder.name : '');
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (task.kind === 'rename') {
      if (name.trim() !== task.folder.name) actions.renameFolder(task.folder.id, name.trim());
      return onClose();
    }
    const folder = await add.mutateAsync(name.trim()).catch(() => null);
    if (!folder) return;
    if (task.feed) actions.moveFeed(task.feed, folder);
    onClose();
  };
  const title = task.kind === 'rename' ? t('sidebar.renameFolder') : t('sidebar.newFolder');
  const error = add.error instanceof Problem ? (add.error.fields.name ?? problemText(add.error).message) : undefined;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form onSubmit={onSubmit}>
        <DialogBody>
          <FormField
            label={t('sidebar.folderName')}
            error={error}
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </DialogBody>
        <DialogActions
          onCancel={onClose}
          submit={task.kind === 'rename' ? t('common:save') : t('sidebar.create')}
          isBusy={add.isPending}
          disabled={name.trim() === ''}
        />
      </form>
    </Dialog>
  );
}
