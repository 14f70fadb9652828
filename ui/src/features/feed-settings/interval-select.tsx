import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/shared/i18n/use-language';
import { FormField } from '@/shared/ui/form-field';

const LEAST = 30;
const MOST = 720;

/** The choices in minutes: half hours, then whole hours, and the current value. */
export function intervals(current: number): number[] {
  const usual = [30, 60, 90, 120, 180, 240, 300, 360, 480, 600, MOST];
  const all = usual.includes(current) || current < LEAST || current > MOST ? usual : [...usual, current];
  return all.sort((a, b) => a - b);
}

/** "1 hour 30 minutes", "1 時間 30 分". */
export function intervalText(minutes: number, language: string): string {
  const unit = (value: number, name: 'hour' | 'minute') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && unit(hours, 'hour'), rest > 0 && unit(rest, 'minute')].filter(Boolean).join(' ');
}

type IntervalSelectProps = { value: number; onChange: (minutes: number) => void };

/** How often a feed is fetched. */
export function IntervalSelect({ value, onChange }: IntervalSelectProps) {
  const { t } = useTranslation('reader');
  const language = useLanguage();
  return (
    <FormField
      kind="select"
      label={t('feed.interval')}
      hint={t('feed.intervalHint')}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {intervals(value).map((minutes) => (
        <option key={minutes} value={minutes}>
          {intervalText(minutes, language)}
        </option>
      ))}
    </FormField>
  );
}
