import { expect, it } from 'vitest';
import { isCheap } from './ahead';

it('is for connections that nobody pays for by the byte', () => {
  expect(isCheap({})).toBe(true);
  expect(isCheap({ effectiveType: '4g', type: 'wifi' })).toBe(true);
  expect(isCheap({ effectiveType: '4g', type: 'cellular' })).toBe(false);
  expect(isCheap({ effectiveType: '3g' })).toBe(false);
  expect(isCheap({ saveData: true })).toBe(false);
});
