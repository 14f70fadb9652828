import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '@/shared/api/client';
import { type FolderChoice, FolderField } from '@/shared/folders/folder-choice';
import { Button } from '@/shared/ui/button';
import { DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { AddError } from './add-error';
import { hostOf, LookingNotice } from './looking-notice';
import { chosenList, SitePreview } from './site-preview';
import type { Adding } from './use-add-feed';

type SiteFormProps = {
  adding: Adding;
  folder: FolderChoice;
  address: string;
  onBack: () => void;
  onClose: () => void;
};

/** How a site without a feed would be watched: its posts, and the choice of another list of them. */
export function SiteForm({ adding, folder, address, onBack, onClose }: SiteFormProps) {
  const { t } = useTranslation(['reader', 'common']);
  const formId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isUnread, setUnread] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone.
  useEffect(() => content.current?.focus(), []);
  const { data: site, error, isFetching, refetch } = usePreview(address);
  const list = site && chosenList(site.lists, chosen);
  const isBusy = adding.isAdding;
  const goBack = () => {
    adding.forget();
    onBack();
  };
  return (
    <>
      <DialogBody>
        <div ref={content} tabIndex={-1} className="min-h-40 outline-none">
          <form
            id={formId}
            className="space-y-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (site && list) adding.watch({ url: site.url, list: list.id, unread: isUnread });
            }}
          >
            {isFetching && <LookingNotice text={t('site.looking', { host: hostOf(address) })} />}
            {error && !isFetching && <ErrorState error={error} isInline onRetry={() => refetch()} />}
            {site && list && (
              <>
                <SitePreview site={site} list={list} onList={setChosen} isDisabled={isBusy} />
                <FormField
                  kind="checkbox"
                  label={t('site.unread')}
                  checked={isUnread}
                  onChange={(event) => setUnread(event.target.checked)}
                  disabled={isBusy}
                />
                <FolderField choice={folder} isDisabled={isBusy} />
              </>
            )}
            {adding.error && !isBusy && <AddError adding={adding} />}
          </form>
        </div>
      </DialogBody>
      <DialogActions form={formId} onCancel={onClose} submit={t('site.submit')} isBusy={isBusy} disabled={!list}>
        <Button look="quiet" onClick={goBack} disabled={isBusy} className="mr-auto -ml-3">
          {t('common:back')}
        </Button>
      </DialogActions>
    </>
  );
}

/** What would be watched at an address. It is asked anew each time. */
function usePreview(url: string) {
  return useQuery({
    queryKey: ['watch-preview', url],
    queryFn: ({ signal }) => body(api.POST('/api/watch/preview', { body: { url }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
