import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import type { Bucket, Range } from './buckets';

/** Inside a chart: as wide as there are bars times this, and as high as this. */
export const STEP = 10;
export const HEIGHT = 100;

type ChartProps = {
  title: string;
  /** What stands out, in words, at the right of the title. */
  summary: ReactNode;
  buckets: readonly Bucket[];
  range: Range;
  /** What the top of the chart is. */
  top: string;
  columns: readonly { label: string; value: (bucket: Bucket) => string }[];
  children: ReactNode;
};

/** A drawing with its scale, and the same numbers as a table for those who do not see it. */
export function Chart({ title, summary, buckets, range, top, columns, children }: ChartProps) {
  const { t } = useTranslation('health');
  const language = useLanguage();
  const time = (at: string) => timeText(at, range, language);
  const [first, middle] = [buckets[0], buckets[Math.floor(buckets.length / 2)]];
  return (
    <figure className="mb-7">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="font-medium">{title}</span>
        <span className="tabular text-ink-2">{summary}</span>
      </figcaption>
      <p aria-hidden className="tabular text-ink-3 text-xs">
        {top}
      </p>
      <div aria-hidden className="border-line border-t border-b border-b-line-strong">
        <svg
          viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-24 w-full"
          role="presentation"
        >
          {children}
        </svg>
      </div>
      <p aria-hidden className="tabular mt-1 flex justify-between text-ink-3 text-xs">
        <span>{first && time(first.from)}</span>
        <span>{middle && time(middle.from)}</span>
        <span>{buckets.length > 0 && time(buckets.at(-1)?.from ?? '')}</span>
      </p>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('when')}</th>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{time(bucket.from)}</th>
              {columns.map((column) => (
                <td key={column.label}>{column.value(bucket)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** When a bar begins: an hour, an hour of a day, or a day. */
export function timeText(at: string, range: Range, language: string): string {
  const hour: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
  const wanted = range === 'day' ? hour : range === 'week' ? { ...day, ...hour } : day;
  return new Intl.DateTimeFormat(localeOf(language), wanted).format(Date.parse(at));
}
