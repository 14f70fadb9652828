import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, body, done, type Schema } from '@/shared/api/client';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { useNow } from '@/shared/lib/use-now';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { Notice } from '@/shared/ui/notice';
import { Time } from '@/shared/ui/time';
import { useSubmit } from '@/shared/ui/use-submit';

/** The last and the next fetch of a feed, its problem, and the button for it. */
export function FetchState({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation(['reader', 'common']);
  const now = useNow();
  const isStopped = subscription.feed_status === 'stopped';
  const refresh = useSubmit<void, void>({
    request: () => done(api.POST('/api/feeds/{id}/refresh', { params: { path: { id: subscription.feed_id } } })),
    changes: [subscriptionKeys.all],
    message: t('feed.refreshing'),
  });
  const resume = useSubmit<unknown, void>({
    request: () => body(api.POST('/api/subscriptions/{id}/resume', { params: { path: { id: subscription.id } } })),
    changes: [subscriptionKeys.all],
    message: t('feed.resumed'),
  });
  const error = refresh.error ?? resume.error;
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
        {isStopped ? (
          <Button size="sm" isBusy={resume.isBusy} onClick={() => resume.submit()}>
            {t('common:retry')}
          </Button>
        ) : (
          <Button size="sm" isBusy={refresh.isBusy} onClick={() => refresh.submit()}>
            {!refresh.isBusy && <RefreshCw aria-hidden className="size-4" />}
            {t('feed.refresh')}
          </Button>
        )}
      </div>
      {error && <ErrorState error={error} isInline />}
    </section>
  );
}
