import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/shared/i18n/use-language';
import { ErrorState } from '@/shared/ui/error-state';
import { Bone, Skeleton } from '@/shared/ui/skeleton';
import { type Bucket, buckets, type Range } from './buckets';
import { Chart, HEIGHT, STEP, timeText } from './chart';
import { activityQuery } from './queries';

/** How fetching went: how much, what failed, what came, how long it took. */
export function Activity({ range }: { range: Range }) {
  const { t } = useTranslation('health');
  const activity = useQuery(activityQuery);
  const shown = useMemo(() => buckets(activity.data?.hours ?? [], range), [activity.data, range]);
  if (activity.error && !activity.data) {
    return <ErrorState error={activity.error} onRetry={() => activity.refetch()} isInline />;
  }
  if (!activity.data) {
    return (
      <Skeleton>
        {['fetches', 'newItems', 'latency'].map((chart) => (
          <div key={chart} className="mb-7">
            <Bone className="mt-1 mb-6 w-24" />
            <Bone className="mb-1 h-24 opacity-40" />
            <Bone className="h-4 w-full opacity-40" />
          </div>
        ))}
      </Skeleton>
    );
  }
  if (shown.every((bucket) => bucket.fetches === 0)) return <p className="py-6 text-ink-2">{t('noFetches')}</p>;
  return <Charts shown={shown} range={range} />;
}

function Charts({ shown, range }: { shown: readonly Bucket[]; range: Range }) {
  const { t } = useTranslation('health');
  const language = useLanguage();
  const number = (n: number) => new Intl.NumberFormat(language).format(n);
  const milliseconds = (n: number | null) => (n === null ? '–' : t('milliseconds', { n }));
  const total = (of: (bucket: Bucket) => number) => shown.reduce((sum, bucket) => sum + of(bucket), 0);
  const most = (of: (bucket: Bucket) => number) => Math.max(1, ...shown.map(of));
  const mostFetches = most((bucket) => bucket.fetches);
  const mostItems = most((bucket) => bucket.newItems);
  const slowest = most((bucket) => bucket.slowest ?? 0);
  const failed = total((bucket) => bucket.failures);
  return (
    <>
      <Chart
        title={t('fetches')}
        summary={
          <>
            {t('total', { n: total((bucket) => bucket.fetches) })}
            {failed > 0 && <span className="text-bad"> · {t('totalFailed', { n: failed })}</span>}
          </>
        }
        buckets={shown}
        range={range}
        top={number(mostFetches)}
        columns={[
          { label: t('fetches'), value: (bucket) => number(bucket.fetches) },
          { label: t('failures'), value: (bucket) => number(bucket.failures) },
        ]}
      >
        {shown.map((bucket, at) => (
          <g key={bucket.from}>
            <title>{`${timeText(bucket.from, range, language)}: ${number(bucket.fetches)}`}</title>
            <Bar at={at} value={bucket.fetches} most={mostFetches} className="fill-ok/75" />
            <Bar at={at} value={bucket.failures} most={mostFetches} className="fill-bad" />
          </g>
        ))}
      </Chart>
      <Chart
        title={t('newItems')}
        summary={t('total', { n: total((bucket) => bucket.newItems) })}
        buckets={shown}
        range={range}
        top={number(mostItems)}
        columns={[{ label: t('newItems'), value: (bucket) => number(bucket.newItems) }]}
      >
        {shown.map((bucket, at) => (
          <g key={bucket.from}>
            <title>{`${timeText(bucket.from, range, language)}: ${number(bucket.newItems)}`}</title>
            <Bar at={at} value={bucket.newItems} most={mostItems} className="fill-ink-3/80" />
          </g>
        ))}
      </Chart>
      <Chart
        title={t('latency')}
        summary={
          <>
            <span className="text-link">{t('average')}</span> · <span className="text-ink-3">{t('slowest')}</span>
          </>
        }
        buckets={shown}
        range={range}
        top={milliseconds(slowest)}
        columns={[
          { label: t('average'), value: (bucket) => milliseconds(bucket.average) },
          { label: t('slowest'), value: (bucket) => milliseconds(bucket.slowest) },
        ]}
      >
        <Line values={shown.map((bucket) => bucket.slowest)} most={slowest} className="stroke-line-strong" />
        <Line values={shown.map((bucket) => bucket.average)} most={slowest} className="stroke-link" />
      </Chart>
    </>
  );
}

type BarProps = { at: number; value: number; most: number; className: string };

/** A bar; what is not nothing can be seen. */
function Bar({ at, value, most, className }: BarProps) {
  const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
  return <rect x={at * STEP + 2} y={HEIGHT - height} width={STEP - 4} height={height} className={className} />;
}

/** A thin line through the values that there are; dots where one stands alone. */
function Line({ values, most, className }: { values: readonly (number | null)[]; most: number; className: string }) {
  const y = (value: number) => HEIGHT - 1 - (value / most) * (HEIGHT - 2);
  let path = '';
  let isDown = false;
  values.forEach((value, at) => {
    const x = at * STEP + STEP / 2;
    if (value !== null) path += isDown ? `L${x} ${y(value)}` : `M${x} ${y(value)}h0.01`;
    isDown = value !== null;
  });
  return (
    <path
      d={path}
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
      className={className}
    />
  );
}
