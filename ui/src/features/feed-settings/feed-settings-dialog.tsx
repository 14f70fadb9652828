import '@/shared/i18n/reader-words';
import { useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { Dialog, DialogBody } from '@/shared/ui/dialog';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { FeedSettingsForm } from './feed-settings-form';

/** Everything about one's subscription to a feed. */
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
          {subscriptions.data ? (
            <EmptyState icon={<Rss aria-hidden />} title={t('feed.gone')} text={t('feed.goneText')} className="py-8" />
          ) : subscriptions.error ? (
            <ErrorState error={subscriptions.error} onRetry={() => subscriptions.refetch()} isInline />
          ) : (
            <SkeletonLines lines={6} />
          )}
        </DialogBody>
      )}
    </Dialog>
  );
}
