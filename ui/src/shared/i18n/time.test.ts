import { expect, it } from 'vitest';
import { relativeTime } from './time';

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
