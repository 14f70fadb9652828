import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FolderField, useFolderChoice } from '@/shared/folders/folder-choice';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField, urlInput } from '@/shared/ui/form-field';
import { AddSitesResults } from './add-sites-results';
import { MOST_ADDRESSES, parseAddresses } from './addresses';
import { useAddSites } from './use-add-sites';

/** Watches many sites: their addresses are pasted, and each gets a line with its result. */
export function AddSitesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('watch');
  const formId = useId();
  const [text, setText] = useState('');
  const folder = useFolderChoice();
  const adding = useAddSites(folder.resolve);
  const { addresses, tooMany } = parseAddresses(text);
  const startAgain = () => {
    const rest = adding.results.filter(({ outcome }) => outcome === 'left' || outcome === 'failed');
    setText(rest.map(({ address }) => address).join('\n'));
    adding.restart();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('many')}>
      {adding.results.length > 0 ? (
        <AddSitesResults adding={adding} onClose={onClose} onAgain={startAgain} />
      ) : (
        <>
          <DialogBody>
            <form
              id={formId}
              className="space-y-4"
              onSubmit={(event) => {
                event.preventDefault();
                adding.run(addresses);
              }}
            >
              <FormField
                kind="textarea"
                label={t('add.label')}
                hint={t('add.hint', { most: MOST_ADDRESSES })}
                placeholder={'example.com\nexample.org/news'}
                value={text}
                rows={9}
                onChange={(event) => setText(event.target.value)}
                error={tooMany > 0 ? t('add.tooMany', { count: tooMany }) : undefined}
                {...urlInput}
                required
                autoFocus
                data-autofocus
              />
              <FolderField choice={folder} isDisabled={adding.isRunning} />
              {adding.error !== null && <ErrorState error={adding.error} isInline />}
            </form>
          </DialogBody>
          <DialogActions
            form={formId}
            onCancel={onClose}
            submit={t('add.submit', { count: addresses.length })}
            isBusy={adding.isRunning}
            disabled={addresses.length === 0 || tooMany > 0}
          />
        </>
      )}
    </Dialog>
  );
}
