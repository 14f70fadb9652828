import '@/shared/i18n/reader-words';
import { useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { Dialog, DialogBody } from '@/shared/ui/dialog';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryList } from '@/shared/ui/query-list';
import { FeedSettingsForm } from './feed-settings-form';

/** The settings of a subscription. */
export function FeedSettingsDialog({ feedId, onClose }: { feedId: string; onClose: () => void }) {
  const { t } = useTranslation('reader');
  const subscriptions = useQuery(subscriptionsQuery);
  const subscription = subscriptions.data?.find((one) => one.feed_id === feedId);
  return (
    <Dialog isOpen onClose={onClose} title={t('feed.title')}>
      {subscription ? (
        <FeedSettingsForm key={subscription.id} subscription={subscription} onClose={onClose} />
      ) : (
        <DialogBody>
          <QueryList query={subscriptions} loading={6}>
            {() => <EmptyState icon={<Rss aria-hidden />} title={t('feed.gone')} text={t('feed.goneText')} isSmall />}
          </QueryList>
        </DialogBody>
      )}
    </Dialog>
  );
}
