import '@/shared/i18n/reader-words';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FolderField, useFolderChoice } from '@/shared/folders/folder-choice';
import { Problem } from '@/shared/lib/problem';
import { Button } from '@/shared/ui/button';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField, urlInput } from '@/shared/ui/form-field';
import { toast } from '@/shared/ui/toast-store';
import { LookingNotice } from './looking-notice';
import { OfferList } from './offer-list';
import { type Added, useAddFeed } from './use-add-feed';

type AddFeedDialogProps = {
  /** The first address. Unless it is empty, the search for feeds starts at once. */
  address: string;
  onClose: () => void;
};

/** Subscribes to the feed of an address. */
export function AddFeedDialog({ address: initial, onClose }: AddFeedDialogProps) {
  const { t } = useTranslation(['reader', 'common']);
  const navigate = useNavigate();
  const formId = useId();
  const [address, setAddress] = useState(initial);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const folder = useFolderChoice();
  const isOpen = useRef(true);

  const onAdded = (feeds: Added[]) => {
    const [first] = feeds;
    if (!first) return onClose();
    const many = t('add.addedMany', { count: feeds.length });
    toast({ message: feeds.length === 1 ? t('add.added', { title: first.title || first.feed_url }) : many });
    // A user who has closed the dialog stays on the page.
    if (isOpen.current) void navigate({ to: '/feeds/$feedId', params: { feedId: first.id } });
  };
  const adding = useAddFeed({ resolveFolder: folder.resolve, onAdded });
  const begin = useRef(adding.begin);
  useEffect(() => {
    if (initial !== '') begin.current(initial);
  }, [initial]);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

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
  const existing = adding.existing;
  return (
    <Dialog isOpen onClose={onClose} title={t('add.title')}>
      <DialogBody>
        <form id={formId} onSubmit={send} className="space-y-4">
          {offers.length === 0 ? (
            <FormField
              label={t('add.address')}
              hint={t('add.hint')}
              placeholder={t('add.placeholder')}
              value={address}
              onChange={(event) => setAddress(event.target.value)}
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
          {adding.isLooking && <LookingNotice address={address} />}
          {error && !fieldError && !isBusy && (
            <ErrorState
              error={error}
              isInline
              onRetry={existing || offers.length > 0 ? undefined : () => adding.begin(address.trim())}
              action={
                existing && (
                  <Button size="sm" onClick={() => navigate({ to: '/feeds/$feedId', params: { feedId: existing } })}>
                    {t('add.open')}
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
    </Dialog>
  );
}
