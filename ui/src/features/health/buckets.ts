import type { Schema } from '@/shared/api/client';

type Hour = Schema<'HourView'>;
export type Range = 'day' | 'week' | 'month';

/** The hours in a bar, and the number of bars. */
const shapes = {
  day: { hours: 1, bars: 24 },
  week: { hours: 6, bars: 28 },
  month: { hours: 24, bars: 30 },
} as const satisfies Record<Range, { hours: number; bars: number }>;

/** The sum of some hours, starting at `from`. */
export type Bucket = {
  from: string;
  fetches: number;
  failures: number;
  newItems: number;
  /** In milliseconds; null without a fetch. */
  average: number | null;
  slowest: number | null;
};

/** The last hours in bars, oldest first. The last bar contains the current hour. */
export function buckets(hours: readonly Hour[], range: Range): Bucket[] {
  const { hours: size, bars } = shapes[range];
  const shown = hours.slice(-size * bars);
  const result: Bucket[] = [];
  // From the end: the first bar may have fewer hours, the last one has not.
  for (let end = shown.length; end > 0; end -= size) result.push(together(shown.slice(Math.max(0, end - size), end)));
  return result.reverse();
}

function together(hours: readonly Hour[]): Bucket {
  const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const fetches = sum((hour) => hour.fetches);
  const times = hours.flatMap((hour) => (hour.latency_ms_max === null ? [] : [hour.latency_ms_max]));
  return {
    from: hours[0]?.hour ?? '',
    fetches,
    failures: sum((hour) => hour.failures),
    newItems: sum((hour) => hour.new_items),
    average: times.length ? Math.round(sum((hour) => (hour.latency_ms_average ?? 0) * hour.fetches) / fetches) : null,
    slowest: times.length ? Math.max(...times) : null,
  };
}
