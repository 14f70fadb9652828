// The measurement of the client (e2e/measure) fails when it has measured nothing, and when it misses a budget.

import { expect, test } from '@playwright/test';
import { BudgetCheck, median, quantile } from '../measure/trace.ts';

test('a measurement without values fails', () => {
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4);
  expect(median([3, 1, 2])).toBe(2);
  expect(() => quantile([], 0.95)).toThrow('nothing was measured');
  expect(() => median([])).toThrow('nothing was measured');
});

test('a missed budget fails', () => {
  const budgets = new BudgetCheck();
  budgets.hold('frames', 16.7, 16.7);
  budgets.verify();
  budgets.hold('second visit', 1_001, 1_000);
  budgets.hold('first visit', Number.NaN, 1_000);
  expect(() => budgets.verify()).toThrow('second visit: 1001 ms, the budget is 1000 ms\nfirst visit: NaN ms');
});
