import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { useUnsubscribe } from '@/shared/api/enqueue-delete';
import { useResume } from '@/shared/api/feeds';
import { cn } from '@/shared/lib/cn';
import { Button } from '@/shared/ui/button';

/** Above the list of a feed that cannot be fetched: the reason and, for a stopped feed, what can be done. */
export function FeedNotice({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation('reading');
  if (subscription.feed_status === 'active') return null;
  const isStopped = subscription.feed_status === 'stopped';
  const reason = subscription.error_message ?? t('sidebar.noReason');
  return (
    <div
      role="status"
      className={cn(
        'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-5 py-2 text-sm',
        isStopped ? 'bg-bad-soft' : 'bg-sunken',
      )}
    >
      <CircleAlert aria-hidden className={cn('size-4 shrink-0', isStopped ? 'text-bad' : 'text-warn')} />
      <p className="min-w-60 flex-1 text-pretty">
        {isStopped ? t('sidebar.stopped', { reason }) : t('sidebar.failing', { reason })}
      </p>
      {isStopped && <Remedies subscription={subscription} />}
    </div>
  );
}

function Remedies({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation('reading');
  const resume = useResume();
  const unsubscribe = useUnsubscribe();
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" isBusy={resume.isPending} onClick={() => resume.mutate(subscription.id)}>
        {t('sidebar.resume')}
      </Button>
      <Button asChild size="sm">
        <Link to="." search={(search) => ({ ...search, edit: subscription.feed_id })}>
          {t('sidebar.changeAddress')}
        </Link>
      </Button>
      <Button size="sm" look="danger" onClick={() => unsubscribe(subscription)}>
        {t('sidebar.unsubscribe')}
      </Button>
    </div>
  );
}
