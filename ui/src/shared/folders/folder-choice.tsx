import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../api/client';
import { folderKeys, foldersQuery } from '../api/subscriptions';
import { Input, Select } from '../ui/field';

/** What stands for a folder that is not there yet. */
const NEW = 'new';

export type FolderChoice = {
  value: string;
  newName: string;
  choose: (value: string) => void;
  setNewName: (name: string) => void;
  /** The folder's id, or null for none; a new one is made first. */
  resolve: () => Promise<string | null>;
};

/** Which folder something goes to: one of those there are, none, or a new one. */
export function useFolderChoice(initial: string | null = null): FolderChoice {
  const client = useQueryClient();
  const [value, choose] = useState(initial ?? '');
  const [newName, setNewName] = useState('');
  const resolve = async () => {
    if (value !== NEW) return value || null;
    const folder = await body(api.POST('/api/folders', { body: { name: newName.trim() } }));
    await client.invalidateQueries({ queryKey: folderKeys.all });
    // Should what follows fail and be tried again, the folder is there already.
    choose(folder.id);
    return folder.id;
  };
  return { value, newName, choose, setNewName, resolve };
}

/** The choice as a form has it. Its words come with `reader-words`. */
export function FolderField({ choice, isDisabled = false }: { choice: FolderChoice; isDisabled?: boolean }) {
  const { t } = useTranslation('reader');
  const id = useId();
  const folders = useQuery(foldersQuery);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {t('folder.label')}
      </label>
      <Select
        id={id}
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
      </Select>
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
