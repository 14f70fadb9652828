import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import type { health } from '@/shared/i18n/en/health';
import { ActionButton } from '@/shared/ui/action-button';
import { Button } from '@/shared/ui/button';
import { QueryRows } from '@/shared/ui/query-list';
import { Row } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';
import { healthKeys, type JobStatus, jobsQuery } from './queries';

type JobsProps = { status: JobStatus; kind: string | undefined; onKind: (kind: string | undefined) => void };

/** Background jobs: how many wait and run, and the jobs of one status. Failed ones can be retried. */
export function Jobs({ status, kind, onKind }: JobsProps) {
  const { t } = useTranslation('health');
  const jobs = useInfiniteQuery(jobsQuery(status, kind));
  return (
    <>
      <Kinds kinds={jobs.data?.pages[0]?.kinds ?? []} kind={kind} onKind={onKind} />
      <QueryRows
        query={jobs}
        of={({ pages }) => pages.flatMap((page) => page.jobs)}
        loading={5}
        empty={t(`noJobs.${status}`)}
      >
        {(job) => <JobRow key={job.id} job={job} />}
      </QueryRows>
    </>
  );
}

type Kind = keyof (typeof health)['kinds'];

/** The name of a kind of job. A kind that is newer than this page is called by its own name. */
function useKindName(): (kind: string) => string {
  const { t } = useTranslation('health');
  return (kind) => t(`kinds.${kind as Kind}`, { defaultValue: kind });
}

type KindsProps = { kinds: readonly Schema<'JobKindView'>[] } & Pick<JobsProps, 'kind' | 'onKind'>;

/** How many jobs of each kind wait and run; a click shows only the jobs of that kind. */
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
  const isFailed = job.status === 'failed';
  const change = isFailed ? ('/api/admin/jobs/{id}/retry' as const) : ('/api/admin/jobs/{id}/cancel' as const);
  return (
    <Row
      title={
        <>
          {nameOf(job.kind)}
          {job.key && <span className="font-normal text-ink-3 text-sm">{job.key}</span>}
        </>
      }
      action={
        (isFailed || job.status === 'queued') && (
          <ActionButton
            request={() => body(api.POST(change, { params: { path: { id: job.id } } }))}
            changes={[healthKeys.jobs]}
            message={t(isFailed ? 'retried' : 'cancelled')}
          >
            {t(isFailed ? 'retry' : 'cancel')}
          </ActionButton>
        )
      }
    >
      <p className="tabular flex flex-wrap gap-x-3 text-ink-3 text-sm">
        <Time at={job.status === 'queued' ? job.run_at : job.updated_at} style="long" />
        <span>{t('attempts', { n: job.attempts, most: job.max_attempts })}</span>
      </p>
      {job.last_error && (
        <p lang="en" className="mt-1 text-bad text-sm wrap-anywhere">
          {job.last_error}
        </p>
      )}
    </Row>
  );
}
