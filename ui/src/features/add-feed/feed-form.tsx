import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FolderChoice, FolderField } from '@/shared/folders/folder-choice';
import { Problem } from '@/shared/lib/problem';
import { Button } from '@/shared/ui/button';
import { DialogActions, DialogBody } from '@/shared/ui/dialog';
import { FormField, urlInput } from '@/shared/ui/form-field';
import { AddError } from './add-error';
import { hostOf, LookingNotice } from './looking-notice';
import { OfferList } from './offer-list';
import { type Adding, hasNoFeed } from './use-add-feed';

type FeedFormProps = {
  adding: Adding;
  folder: FolderChoice;
  address: string;
  onAddress: (address: string) => void;
  /** Shows how the site itself would be watched. */
  onWatch: () => void;
  onClose: () => void;
};

/** The address, and the feeds that it leads to. */
export function FeedForm({ adding, folder, address, onAddress, onWatch, onClose }: FeedFormProps) {
  const { t } = useTranslation('reader');
  const formId = useId();
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const { offers, error } = adding;
  const isBusy = adding.isLooking || adding.isAdding;
  const picked =
    chosen ??
    offers
      .filter((offer) => !adding.present(offer.url))
      .slice(0, 1)
      .map(({ url }) => url);
  const fieldError = error instanceof Problem ? error.fields.url : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (offers.length > 0) return adding.subscribe(picked);
    setChosen(null);
    adding.begin(address.trim());
  };
  const startAgain = () => {
    setChosen(null);
    adding.restart();
  };
  return (
    <>
      <DialogBody>
        <form id={formId} onSubmit={send} className="space-y-4">
          {offers.length === 0 ? (
            <FormField
              label={t('add.address')}
              hint={t('add.hint')}
              placeholder={t('add.placeholder')}
              value={address}
              onChange={(event) => onAddress(event.target.value)}
              error={fieldError}
              {...urlInput}
              readOnly={isBusy}
              required
              autoFocus
              data-autofocus
            />
          ) : (
            <OfferList
              title={t(error ? 'add.maybe' : 'add.several', { count: offers.length })}
              offers={offers}
              chosen={picked}
              onChange={setChosen}
              isPresent={(url) => adding.present(url) !== undefined}
              isDisabled={isBusy}
            />
          )}
          <FolderField choice={folder} isDisabled={isBusy} />
          {adding.isLooking && <LookingNotice text={t('add.looking', { host: hostOf(address) })} />}
          {error && !fieldError && !isBusy && (
            <AddError
              adding={adding}
              onRetry={offers.length > 0 ? undefined : () => adding.begin(address.trim())}
              action={
                hasNoFeed(error) && (
                  <Button size="sm" onClick={onWatch}>
                    {t('site.offer')}
                  </Button>
                )
              }
            />
          )}
        </form>
      </DialogBody>
      <DialogActions
        form={formId}
        onCancel={onClose}
        submit={offers.length > 0 ? t('add.addChosen', { count: picked.length }) : t('add.submit')}
        isBusy={isBusy}
        disabled={offers.length > 0 && picked.length === 0}
      >
        {offers.length > 0 && (
          <Button look="quiet" onClick={startAgain} disabled={isBusy} className="mr-auto -ml-3">
            {t('add.other')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
