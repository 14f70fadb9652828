import { useTranslation } from 'react-i18next';
import type { WatchDay } from '@/shared/api/watch';
import { dateText } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { cn } from '@/shared/lib/cn';
import { countDays, type DayKind, dayKind } from './days';

const STEP = 6;
const HEIGHT = 28;

/** Kinds differ in height as well as in colour; a failure has a gap. */
const shapes = {
  changed: { d: 'M0 0h4v28h-4z', className: 'fill-ok' },
  failed: { d: 'M0 8h4v8h-4zM0 19h4v9h-4z', className: 'fill-bad' },
  unchanged: { d: 'M0 21h4v7h-4z', className: 'fill-line-strong' },
  none: { d: 'M0 27h4v1h-4z', className: 'fill-line-strong' },
} as const satisfies Record<DayKind, { d: string; className: string }>;

/** A bar for each of the last days: what the checks found. */
export function DayStrip({ days, className }: { days: readonly WatchDay[]; className?: string }) {
  const text = useDaysText();
  const dayText = useDayText();
  return (
    <svg
      role="img"
      aria-label={text(days)}
      viewBox={`0 0 ${days.length * STEP - 2} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn('block by-default:h-7 by-default:w-45', className)}
    >
      {days.map((day, at) => {
        const { d, className } = shapes[dayKind(day)];
        return (
          <g key={day.day} transform={`translate(${at * STEP} 0)`}>
            <title>{dayText(day)}</title>
            <rect x={-1} width={STEP} height={HEIGHT} className="fill-transparent" />
            <path d={d} className={className} />
          </g>
        );
      })}
    </svg>
  );
}

/** What the bars mean. */
export function DayLegend() {
  const { t } = useTranslation('watch');
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-3 text-sm">
      {t('days.legend')}
      {(['changed', 'unchanged', 'failed'] as const).map((kind) => (
        <span key={kind} className="flex items-end gap-1.5">
          <svg viewBox={`0 0 4 ${HEIGHT}`} aria-hidden="true" className="mb-0.5 h-4 w-[3px]" preserveAspectRatio="none">
            <path d={shapes[kind].d} className={shapes[kind].className} />
          </svg>
          {t(`days.${kind}`)}
        </span>
      ))}
    </p>
  );
}

/** "30 days: changed on 4, unchanged on 25, failed on 1". */
export function useDaysText(): (days: readonly WatchDay[]) => string {
  const { t } = useTranslation('watch');
  return (days) => {
    const counts = countDays(days);
    const values = { n: days.length, ...counts };
    if (counts.none === days.length) return t('days.textEmpty', values);
    return counts.none > 0 ? t('days.textNone', values) : t('days.text', values);
  };
}

function useDayText(): (day: WatchDay) => string {
  const { t } = useTranslation('watch');
  const language = useLanguage();
  return (one) => {
    // Without a time it would be a day in UTC.
    const day = dateText(`${one.day}T00:00`, language, 'medium');
    return dayKind(one) === 'none' ? t('days.dayEmpty', { day }) : t('days.day', { ...one, day });
  };
}
