import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, body, done, type Schema } from '@/shared/api/client';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { useNow } from '@/shared/lib/use-now';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { Notice } from '@/shared/ui/notice';
import { Time } from '@/shared/ui/time';
import { toast } from '@/shared/ui/toast-store';

/** When the feed was fetched and when it will be, what is wrong with it, and what one can do. */
export function FetchState({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation('reader');
  const client = useQueryClient();
  const now = useNow();
  const isStopped = subscription.feed_status === 'stopped';
  const refreshList = () => client.invalidateQueries({ queryKey: subscriptionKeys.all });
  const refresh = useMutation({
    mutationFn: () => done(api.POST('/api/feeds/{id}/refresh', { params: { path: { id: subscription.feed_id } } })),
    onSuccess: () => {
      toast({ message: t('feed.refreshing') });
      return refreshList();
    },
  });
  const resume = useMutation({
    mutationFn: () => body(api.POST('/api/subscriptions/{id}/resume', { params: { path: { id: subscription.id } } })),
    onSuccess: () => {
      toast({ message: t('feed.resumed') });
      return refreshList();
    },
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
          <Button size="sm" isBusy={resume.isPending} onClick={() => resume.mutate()}>
            {t('feed.resume')}
          </Button>
        ) : (
          <Button size="sm" isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
            {!refresh.isPending && <RefreshCw aria-hidden className="size-4" />}
            {t('feed.refresh')}
          </Button>
        )}
      </div>
      {error && <ErrorState error={error} isInline />}
    </section>
  );
}
