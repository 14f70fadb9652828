import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../api/client';
import { folderKeys, foldersQuery } from '../api/subscriptions';
import { FormField, Input } from '../ui/form-field';

/** The choice of a folder that is created first. */
const NEW = 'new';

export type FolderChoice = {
  value: string;
  newName: string;
  choose: (value: string) => void;
  setNewName: (name: string) => void;
  /** The folder's id, or null for none; a new folder is created first. */
  resolve: () => Promise<string | null>;
};

/** The choice of a folder: an existing one, none, or a new one. */
export function useFolderChoice(initial: string | null = null): FolderChoice {
  const client = useQueryClient();
  const [value, choose] = useState(initial ?? '');
  const [newName, setNewName] = useState('');
  const resolve = async () => {
    if (value !== NEW) return value || null;
    const folder = await body(api.POST('/api/folders', { body: { name: newName.trim() } }));
    await client.invalidateQueries({ queryKey: folderKeys.all });
    // A retry must not create it again.
    choose(folder.id);
    return folder.id;
  };
  return { value, newName, choose, setNewName, resolve };
}

/** The choice in a form. Its words come with `reader-words`. */
export function FolderField({ choice, isDisabled = false }: { choice: FolderChoice; isDisabled?: boolean }) {
  const { t } = useTranslation('reader');
  const folders = useQuery(foldersQuery);
  return (
    <div className="flex flex-col gap-1.5">
      <FormField
        kind="select"
        label={t('folder.label')}
        value={choice.value}
        disabled={isDisabled}
        onChange={(event) => choice.choose(event.target.value)}
      >
        <option value="">{t('folder.none')}</option>
        {folders.data?.map((folder) => (
          <option key={folder.id} value={folder.id}>
            {folder.name}
          </option>
        ))}
        <option value={NEW}>{t('folder.new')}</option>
      </FormField>
      {choice.value === NEW && (
        <Input
          aria-label={t('folder.newName')}
          placeholder={t('folder.newName')}
          value={choice.newName}
          onChange={(event) => choice.setNewName(event.target.value)}
          maxLength={100}
          required
          disabled={isDisabled}
        />
      )}
    </div>
  );
}
