import { afterEach, expect, it, vi } from 'vitest';
import { relativeTime } from './time';

afterEach(() => vi.unstubAllGlobals());

const now = Date.parse('2026-11-16T12:00:00Z');
const cases: [at: string, en: string, ja: string][] = [
  ['2026-11-16T11:59:40Z', 'now', '今'],
  ['2026-11-16T12:00:30Z', 'now', '今'],
  ['2026-11-16T11:57:00Z', '3m ago', '3分前'],
  ['2026-11-16T09:01:00Z', '2h ago', '2時間前'],
  ['2026-11-15T11:00:00Z', 'yesterday', '昨日'],
  ['2026-11-11T11:00:00Z', '5d ago', '5日前'],
  ['2026-10-01T12:00:00Z', 'Oct 1', '10月1日'],
  ['2024-10-01T12:00:00Z', 'Oct 1, 2024', '2024年10月1日'],
];

it.each(cases)('%s is %s, or %s', (at, en, ja) => {
  expect(relativeTime(at, now, 'en')).toBe(en);
  expect(relativeTime(at, now, 'ja')).toBe(ja);
});

const MINUTE = 60_000;
const times = [1, 2, 59, 60, 61, 23 * 60, 24 * 60, 47 * 60, 48 * 60, 72 * 60, 7 * 24 * 60 - 1];

it.each(['en', 'ja'])('the words of lists are those of the browser: %s', (language) => {
  const format = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' });
  for (const minutes of [...times, ...times.map((one) => -one)]) {
    const [count, unit] =
      Math.abs(minutes) < 60
        ? ([minutes, 'minute'] as const)
        : Math.abs(minutes) < 24 * 60
          ? ([Math.trunc(minutes / 60), 'hour'] as const)
          : ([Math.trunc(minutes / 24 / 60), 'day'] as const);
    const at = new Date(now + minutes * MINUTE).toISOString();
    expect(relativeTime(at, now, language), at).toBe(format.format(count, unit));
  }
});

it.each(['en', 'en-US', 'en-CA', 'en-GB', 'en-NZ', 'en-IE', 'en-IN', 'ja', 'ja-JP'])(
  'dates are those of the browser: %s',
  (tag) => {
    vi.stubGlobal('navigator', { languages: [tag] });
    for (let month = 0; month < 12; month += 1) {
      for (const year of [2024, 2026]) {
        const at = new Date(Date.UTC(year, month, 3 + month, 12));
        const options = {
          year: year === 2026 ? undefined : ('numeric' as const),
          month: 'short',
          day: 'numeric',
        } as const;
        // Of September there are two kinds.
        const expected = new Intl.DateTimeFormat(tag, options).format(at).replace('Sept', 'Sep');
        const shown = relativeTime(at.toISOString(), now, tag.slice(0, 2));
        if (Math.abs(at.getTime() - now) > 7 * 24 * 60 * MINUTE) expect(shown).toBe(expected);
      }
    }
  },
);
