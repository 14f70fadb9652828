import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { useResume } from '@/shared/api/resume';
import { cn } from '@/shared/lib/cn';
import { Button } from '@/shared/ui/button';

/** Above the list of a feed that cannot be fetched: why, and the way on. */
export function FeedNotice({ subscription }: { subscription: Schema<'SubscriptionView'> }) {
  const { t } = useTranslation('reading');
  const resume = useResume();
  if (subscription.feed_status === 'active') return null;
  const isStopped = subscription.feed_status === 'stopped';
  const reason = subscription.error_message ?? t('sidebar.noReason');
  return (
    <div
      role="status"
      className={cn(
        'flex shrink-0 items-center gap-3 border-line border-b px-5 py-2 text-sm',
        isStopped ? 'bg-bad-soft' : 'bg-sunken',
      )}
    >
      <CircleAlert aria-hidden className={cn('size-4 shrink-0', isStopped ? 'text-bad' : 'text-warn')} />
      <p className="min-w-0 flex-1 text-pretty">
        {isStopped ? t('sidebar.stopped', { reason }) : t('sidebar.failing', { reason })}
      </p>
      {isStopped && (
        <Button size="sm" isBusy={resume.isPending} onClick={() => resume.mutate(subscription.id)}>
          {t('sidebar.resume')}
        </Button>
      )}
    </div>
  );
}
