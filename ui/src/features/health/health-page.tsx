import './words';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LockKeyhole } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '@/shared/api/me';
import { Page } from '@/shared/layout/page';
import { EmptyState } from '@/shared/ui/empty-state';
import { Section } from '@/shared/ui/section';
import { Segmented } from '@/shared/ui/segmented';
import { Activity } from './activity';
import { FeedHealth } from './feed-health';
import { Jobs } from './jobs';

const RANGES = ['day', 'week', 'month'] as const;
const JOB_STATUSES = ['failed', 'queued', 'processing', 'succeeded'] as const;

/** The state of feeds, fetches and jobs, for the owner of this server. */
export function HealthPage() {
  const { t } = useTranslation(['health', 'common']);
  const isOwner = useQuery(meQuery).data?.role === 'owner';
  const { status = 'error', jobs = 'failed', kind, range = 'day' } = useSearch({ from: '/layout/health' });
  const navigate = useNavigate();
  const show = (patch: Partial<{ status: typeof status; jobs: typeof jobs; kind: string; range: typeof range }>) =>
    void navigate({ to: '/health', search: (search) => ({ ...search, ...patch }), replace: true });
  if (!isOwner) {
    return (
      <Page title={t('common:health')}>
        <EmptyState icon={<LockKeyhole aria-hidden />} title={t('ownerOnly')} text={t('ownerOnlyText')} />
      </Page>
    );
  }
  return (
    <Page title={t('common:health')}>
      <Section isRuled title={t('feeds')}>
        <FeedHealth status={status} onStatus={(next) => show({ status: next })} />
      </Section>
      <Section
        isRuled
        title={t('activity')}
        choice={
          <Segmented
            label={t('range')}
            value={range}
            onChange={(next) => show({ range: next })}
            options={RANGES.map((value) => ({ value, label: t(value) }))}
          />
        }
      >
        <Activity range={range} />
      </Section>
      <Section
        isRuled
        title={t('jobs')}
        choice={
          <Segmented
            label={t('jobStatus')}
            value={jobs}
            onChange={(next) => show({ jobs: next })}
            options={JOB_STATUSES.map((value) => ({ value, label: t(value) }))}
          />
        }
      >
        <Jobs status={jobs} kind={kind} onKind={(next) => show({ kind: next })} />
      </Section>
    </Page>
  );
}
