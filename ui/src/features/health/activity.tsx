import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { Chart } from '@/shared/ui/chart';
import { QueryList } from '@/shared/ui/query-list';
import { type Bucket, buckets, type Range } from './buckets';
import { activityQuery } from './queries';

/** Fetches over time: how many, how many failed, how many items arrived, and how long they took. */
export function Activity({ range }: { range: Range }) {
  const { t } = useTranslation('health');
  const activity = useQuery(activityQuery);
  const shown = useMemo(() => buckets(activity.data?.hours ?? [], range), [activity.data, range]);
  return (
    <QueryList
      query={activity}
      loading={20}
      isEmpty={() => shown.every((bucket) => bucket.fetches === 0)}
      empty={t('noFetches')}
    >
      {() => <Charts points={shown} range={range} />}
    </QueryList>
  );
}

function Charts({ points, range }: { points: readonly Bucket[]; range: Range }) {
  const { t } = useTranslation('health');
  const language = useLanguage();
  const number = (n: number | null) => new Intl.NumberFormat(language).format(n ?? 0);
  const milliseconds = (n: number | null) => (n === null ? '–' : t('milliseconds', { n }));
  const total = (of: (bucket: Bucket) => number) => points.reduce((sum, bucket) => sum + of(bucket), 0);
  const failed = total((bucket) => bucket.failures);
  const axis = { points, axis: t('when'), name: (bucket: Bucket) => timeText(bucket.from, range, language) };
  return (
    <>
      <Chart
        {...axis}
        title={t('fetches')}
        summary={
          <>
            {t('total', { n: total((bucket) => bucket.fetches) })}
            {failed > 0 && <span className="text-bad"> · {t('totalFailed', { n: failed })}</span>}
          </>
        }
        text={number}
        series={[
          { label: t('fetches'), value: (bucket) => bucket.fetches, look: 'bar', className: 'fill-ok/75' },
          { label: t('failures'), value: (bucket) => bucket.failures, look: 'bar', className: 'fill-bad' },
        ]}
      />
      <Chart
        {...axis}
        title={t('newItems')}
        summary={t('total', { n: total((bucket) => bucket.newItems) })}
        text={number}
        series={[{ label: t('newItems'), value: (bucket) => bucket.newItems, look: 'bar', className: 'fill-ink-3/80' }]}
      />
      <Chart
        {...axis}
        title={t('latency')}
        summary={
          <>
            <span className="text-link">{t('average')}</span> · <span className="text-ink-3">{t('slowest')}</span>
          </>
        }
        text={milliseconds}
        series={[
          { label: t('slowest'), value: (bucket) => bucket.slowest, look: 'line', className: 'stroke-line-strong' },
          { label: t('average'), value: (bucket) => bucket.average, look: 'line', className: 'stroke-link' },
        ]}
      />
    </>
  );
}

/** When a bar begins: an hour, an hour of a day, or a day. */
function timeText(at: string, range: Range, language: string): string {
  const hour: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
  const wanted = range === 'day' ? hour : range === 'week' ? { ...day, ...hour } : day;
  return new Intl.DateTimeFormat(localeOf(language), wanted).format(Date.parse(at));
}
