// The measurement of the client (e2e/measure) fails when it has measured nothing.

import { expect, test } from '@playwright/test';
import { median, quantile } from '../measure/trace.ts';

test('a measurement without values fails', () => {
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4);
  expect(median([3, 1, 2])).toBe(2);
  expect(() => quantile([], 0.95)).toThrow('nothing was measured');
  expect(() => median([])).toThrow('nothing was measured');
});
