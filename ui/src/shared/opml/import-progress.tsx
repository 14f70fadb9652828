import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../api/client';
import { folderKeys, subscriptionKeys } from '../api/subscriptions';
import { ErrorState } from '../ui/error-state';
import { Progress } from '../ui/progress';
import { importQuery } from './imports';

/** The progress of an import, and the feeds that could not be added with their reason. */
export function ImportProgress({ id, onFinished }: { id: string; onFinished?: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(importQuery(id));
  const done = data ? data.total - data.waiting : 0;
  const isFinished = data?.waiting === 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every feed that arrives
  useEffect(() => {
    void client.invalidateQueries({ queryKey: subscriptionKeys.all });
    void client.invalidateQueries({ queryKey: folderKeys.all });
  }, [done, client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is finished
  useEffect(() => {
    if (isFinished) onFinished?.();
  }, [isFinished]);

  if (error && !data) return <ErrorState error={error} onRetry={() => refetch()} isInline />;
  return (
    <div className="space-y-3">
      <Progress
        label={
          isFinished ? t('opml.finished') : data ? t('opml.importing', { done, total: data.total }) : t('opml.reading')
        }
        value={done}
        most={data?.total ?? 0}
      />
      {data && <Outcome data={data} isFinished={isFinished} />}
    </div>
  );
}

function Outcome({ data, isFinished }: { data: Schema<'ImportDetailView'>; isFinished: boolean }) {
  const { t } = useTranslation();
  const counts = (['added', 'present', 'failed'] as const).filter((outcome) => data[outcome] > 0);
  const failed = data.feeds.filter((feed) => feed.outcome === 'failed');
  return (
    <>
      <p role="status" className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
        {isFinished && <CircleCheck aria-hidden className="size-4.5 text-ok" />}
        {data.total === 0 && t('opml.noFeeds')}
        {counts.map((outcome) => (
          <span key={outcome} className={outcome === 'failed' ? 'text-bad' : undefined}>
            {t(`opml.${outcome}`, { count: data[outcome] })}
          </span>
        ))}
      </p>
      {failed.length > 0 && (
        <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-lg border border-line">
          {failed.map((feed) => (
            <li key={feed.feed_url} className="px-3 py-2">
              <p className="truncate font-medium text-sm">{feed.title || feed.feed_url}</p>
              {feed.title && <p className="truncate text-ink-3 text-xs">{feed.feed_url}</p>}
              <p className="text-ink-2 text-sm">{feed.message}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
