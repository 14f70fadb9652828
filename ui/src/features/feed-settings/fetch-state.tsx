import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { refreshFeed, resumeFeed } from '@/shared/api/feeds';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { useNow } from '@/shared/lib/use-now';
import { ActionButton } from '@/shared/ui/action-button';
import { Notice } from '@/shared/ui/notice';
import { Time } from '@/shared/ui/time';

/** The last and the next fetch of a feed, its problem, and the button for it. */
export function FetchState({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation(['reader', 'reading', 'common']);
  const now = useNow();
  const isStopped = subscription.feed_status === 'stopped';
  const { id, feed_id } = subscription;
  return (
    <section aria-label={t('feed.state')} className="space-y-3">
      {subscription.error_message && (
        <Notice tone="bad" title={t(isStopped ? 'feed.isStopped' : 'feed.failing')} text={subscription.error_message} />
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-y py-3">
        <dl className="flex flex-1 flex-wrap gap-x-6 gap-y-1 text-sm">
          <div className="flex gap-2">
            <dt className="text-ink-3">{t('feed.last')}</dt>
            <dd className="tabular">
              {subscription.last_fetched_at ? <Time at={subscription.last_fetched_at} style="long" /> : t('feed.never')}
            </dd>
          </div>
          <div className="flex gap-2">
            <dt className="text-ink-3">{t('feed.next')}</dt>
            <dd className="tabular">
              {isStopped ? (
                t('feed.stopped')
              ) : Date.parse(subscription.next_fetch_at) <= now ? (
                t('feed.soon')
              ) : (
                <Time at={subscription.next_fetch_at} style="long" />
              )}
            </dd>
          </div>
        </dl>
        <ActionButton
          request={() => (isStopped ? resumeFeed(id) : refreshFeed(feed_id))}
          changes={[subscriptionKeys.all]}
          message={t(isStopped ? 'reading:sidebar.resumed' : 'reading:sidebar.refreshing')}
        >
          {isStopped ? t('common:retry') : t('feed.refresh')}
        </ActionButton>
      </div>
    </section>
  );
}
