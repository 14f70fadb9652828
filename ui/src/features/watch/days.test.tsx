// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WatchDay } from '@/shared/api/watch';
import { renderUi } from '../../../tests/render';
import './words';
import { DayStrip } from './day-strip';
import { countDays, dayKind } from './days';

const day = (at: number, changed: number, unchanged: number, failed: number): WatchDay => ({
  day: `2026-11-${String(at).padStart(2, '0')}`,
  changed,
  unchanged,
  failed,
});
const month = (of: (at: number) => WatchDay) => Array.from({ length: 30 }, (_, at) => of(at + 1));

test('new posts say more than a failure, and a failure more than nothing new', () => {
  expect(dayKind(day(1, 1, 20, 3))).toBe('changed');
  expect(dayKind(day(1, 0, 20, 3))).toBe('failed');
  expect(dayKind(day(1, 0, 20, 0))).toBe('unchanged');
  expect(dayKind(day(1, 0, 0, 0))).toBe('none');
});

test('each day counts once', () => {
  const days = month((at) => day(at, at <= 4 ? 2 : 0, 10, at === 9 ? 1 : 0));
  expect(countDays(days)).toEqual({ changed: 4, failed: 1, unchanged: 25, none: 0 });
});

test('the strip has the numbers of days in words', () => {
  const { rerender } = renderUi(<DayStrip days={month((at) => day(at, at <= 4 ? 1 : 0, 10, at === 9 ? 1 : 0))} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    '30 days: changed on 4, unchanged on 25, failed on 1',
  );
  rerender(<DayStrip days={month((at) => day(at, 0, at > 20 ? 5 : 0, 0))} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    '30 days: changed on 0, unchanged on 10, failed on 0, no checks on 20',
  );
  rerender(<DayStrip days={month((at) => day(at, 0, 0, 0))} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe('30 days: no checks yet');
});
