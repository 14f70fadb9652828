import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { Time } from '@/shared/ui/time';
import { toast } from '@/shared/ui/toast-store';
import { useKindName } from './kind-name';
import { healthKeys, type JobStatus, jobsQuery } from './queries';

type JobsProps = { status: JobStatus; kind: string | undefined; onKind: (kind: string | undefined) => void };

/** What goes on behind the pages: how much waits and runs, and single jobs, the failed ones to be tried again. */
export function Jobs({ status, kind, onKind }: JobsProps) {
  const { t } = useTranslation('health');
  const jobs = useInfiniteQuery(jobsQuery(status, kind));
  if (jobs.error && !jobs.data) return <ErrorState error={jobs.error} onRetry={() => jobs.refetch()} isInline />;
  if (!jobs.data) return <SkeletonLines lines={5} />;
  const all = jobs.data.pages.flatMap((page) => page.jobs);
  const kinds = jobs.data.pages[0]?.kinds ?? [];
  return (
    <>
      <Kinds kinds={kinds} kind={kind} onKind={onKind} />
      {all.length === 0 ? (
        <p className="text-ink-2">{t(`noJobs.${status}`)}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {all.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
      {jobs.hasNextPage && (
        <Button className="mt-3" isBusy={jobs.isFetchingNextPage} onClick={() => jobs.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

type KindsProps = { kinds: readonly Schema<'JobKindView'>[] } & Pick<JobsProps, 'kind' | 'onKind'>;

/** What waits and runs, by kind; a press shows only the jobs of that kind. */
function Kinds({ kinds, kind, onKind }: KindsProps) {
  const { t } = useTranslation('health');
  const nameOf = useKindName();
  if (kinds.length === 0 && !kind) return null;
  return (
    <fieldset className="mb-4 flex flex-wrap gap-2">
      <legend className="sr-only">{t('kind')}</legend>
      <Button size="sm" aria-pressed={!kind} look={kind ? 'plain' : 'primary'} onClick={() => onKind(undefined)}>
        {t('allKinds')}
      </Button>
      {kinds.map((one) => {
        const parts = [
          one.running > 0 && `${one.running} ${t('running')}`,
          one.ready > 0 && `${one.ready} ${t('ready')}`,
          one.scheduled > 0 && `${one.scheduled} ${t('scheduled')}`,
        ];
        const isChosen = one.kind === kind;
        return (
          <Button
            key={one.kind}
            size="sm"
            aria-pressed={isChosen}
            look={isChosen ? 'primary' : 'plain'}
            onClick={() => onKind(isChosen ? undefined : one.kind)}
          >
            {nameOf(one.kind)}
            <span className="tabular font-normal opacity-80">{parts.filter(Boolean).join(' · ')}</span>
          </Button>
        );
      })}
    </fieldset>
  );
}

function JobRow({ job }: { job: Schema<'JobView'> }) {
  const { t } = useTranslation('health');
  const nameOf = useKindName();
  const client = useQueryClient();
  const path = { id: job.id };
  const isFailed = job.status === 'failed';
  const change = useMutation({
    mutationFn: () =>
      isFailed
        ? body(api.POST('/api/admin/jobs/{id}/retry', { params: { path } }))
        : body(api.POST('/api/admin/jobs/{id}/cancel', { params: { path } })),
    onSuccess: () => toast({ message: t(isFailed ? 'retried' : 'cancelled') }),
    onSettled: () => client.invalidateQueries({ queryKey: healthKeys.jobs }),
  });
  return (
    <li className="flex items-start justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{nameOf(job.kind)}</span>
          {job.key && <span className="text-ink-3 text-sm [overflow-wrap:anywhere]">{job.key}</span>}
        </p>
        <p className="tabular flex flex-wrap gap-x-3 text-ink-3 text-sm">
          <Time at={job.status === 'queued' ? job.run_at : job.updated_at} style="long" />
          <span>{t('attempts', { n: job.attempts, most: job.max_attempts })}</span>
        </p>
        {job.last_error && (
          <p lang="en" className="mt-1 text-bad text-sm [overflow-wrap:anywhere]">
            {job.last_error}
          </p>
        )}
        {change.error && <ErrorState error={change.error} isInline className="mt-2" />}
      </div>
      {(isFailed || job.status === 'queued') && (
        <Button size="sm" isBusy={change.isPending} onClick={() => change.mutate()}>
          {t(isFailed ? 'retry' : 'cancel')}
        </Button>
      )}
    </li>
  );
}
