import type { WatchDay } from '@/shared/api/watch';

/** What a day is shown as. */
export type DayKind = 'changed' | 'failed' | 'unchanged' | 'none';

/** New posts say more than a failure, and a failure more than nothing new. */
export function dayKind({ changed, unchanged, failed }: WatchDay): DayKind {
  if (changed > 0) return 'changed';
  if (failed > 0) return 'failed';
  return unchanged > 0 ? 'unchanged' : 'none';
}

/** How many days are of each kind. */
export function countDays(days: readonly WatchDay[]): Record<DayKind, number> {
  const counts = { changed: 0, failed: 0, unchanged: 0, none: 0 };
  for (const day of days) counts[dayKind(day)] += 1;
  return counts;
}
