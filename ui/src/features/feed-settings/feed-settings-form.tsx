import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { useUnsubscribe } from '@/shared/api/enqueue-delete';
import { FolderField, useFolderChoice } from '@/shared/folders/folder-choice';
import { Button } from '@/shared/ui/button';
import { DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { FormField, urlInput } from '@/shared/ui/form-field';
import { ArticleRules } from './article-rules';
import { FetchState } from './fetch-state';
import { IntervalSelect } from './interval-select';
import { useSaveFeed } from './use-save-feed';

type FeedSettingsFormProps = { subscription: Schema<'SubscriptionView'>; onClose: () => void };

export function FeedSettingsForm({ subscription, onClose }: FeedSettingsFormProps) {
  const { t } = useTranslation(['reader', 'reading', 'common']);
  const formId = useId();
  const unsubscribe = useUnsubscribe();
  const [title, setTitle] = useState(subscription.own_title ?? '');
  const [address, setAddress] = useState(subscription.feed_url);
  const [interval, setInterval] = useState(subscription.fetch_interval_minutes);
  const [fullText, setFullText] = useState(subscription.full_text);
  const folder = useFolderChoice(subscription.folder_id);
  // The feed's own title, which the user's title replaces.
  const feed = useQuery({
    queryKey: ['feeds', subscription.feed_id],
    queryFn: ({ signal }) =>
      body(api.GET('/api/feeds/{id}', { params: { path: { id: subscription.feed_id } }, signal })),
    enabled: subscription.own_title !== null,
  });
  const save = useSaveFeed(
    subscription,
    { title, address, interval, fullText, resolveFolder: folder.resolve },
    onClose,
  );
  const leave = () => {
    onClose();
    unsubscribe(subscription);
  };
  return (
    <>
      <DialogBody className="space-y-4">
        <div className="flex items-center gap-2.5">
          <FeedIcon title={subscription.feed_title} url={subscription.favicon_url} />
          {/* The first focus: in a text box it would open the keyboard of a phone. */}
          <p tabIndex={-1} data-autofocus className="min-w-0 flex-1 truncate font-semibold outline-none">
            {subscription.feed_title}
          </p>
          {subscription.site_url && (
            <a
              href={subscription.site_url}
              target="_blank"
              rel="noreferrer"
              className="flex items-center gap-1.5 text-link text-sm hover:underline max-md:min-h-11"
            >
              {t('feed.site')}
              <ExternalLink aria-hidden className="size-3.5" />
            </a>
          )}
        </div>
        <FetchState subscription={subscription} />
        <form id={formId} onSubmit={save.onSubmit} className="space-y-4">
          <FormField
            label={t('feed.name')}
            hint={t('feed.nameHint')}
            placeholder={subscription.own_title === null ? subscription.feed_title : (feed.data?.title ?? '')}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            maxLength={500}
            autoComplete="off"
            error={save.problems.title}
          />
          <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
            <FolderField choice={folder} />
            <IntervalSelect value={interval} onChange={setInterval} />
          </div>
          <FormField
            kind="select"
            label={t('feed.fullText')}
            hint={t('feed.fullTextHint')}
            value={fullText}
            onChange={(event) => setFullText(event.target.value as typeof fullText)}
          >
            <option value="off">{t('feed.fullTextOff')}</option>
            <option value="on">{t('feed.fullTextOn')}</option>
            <option value="auto">{t('feed.fullTextAuto')}</option>
          </FormField>
          <FormField
            label={t('feed.address')}
            hint={t('feed.addressHint')}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            {...urlInput}
            required
            error={save.problems.feed_url}
          />
          {save.error && <ErrorState error={save.error} isInline />}
        </form>
        <ArticleRules feedId={subscription.feed_id} />
      </DialogBody>
      <DialogActions form={formId} onCancel={onClose} submit={t('common:save')} isBusy={save.isBusy}>
        <Button look="danger" onClick={leave} className="mr-auto">
          {t('feed.unsubscribe')}
        </Button>
      </DialogActions>
    </>
  );
}
