import { expect, test } from 'vitest';
import { intervals, intervalText } from './interval-select';

test('what is set already can be chosen, in its place', () => {
  expect(intervals(60)).toEqual(intervals(30));
  expect(intervals(150).indexOf(150)).toBe(intervals(150).indexOf(120) + 1);
  expect(intervals(30)[0]).toBe(30);
  expect(intervals(720).at(-1)).toBe(720);
});

test('an interval is said as people say it', () => {
  expect(intervalText(30, 'en')).toBe('30 minutes');
  expect(intervalText(60, 'en')).toBe('1 hour');
  expect(intervalText(90, 'en')).toBe('1 hour 30 minutes');
  expect(intervalText(720, 'ja')).toMatch(/^12\s?時間$/);
});
