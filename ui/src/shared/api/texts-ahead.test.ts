import { expect, it } from 'vitest';
import { isMetered } from './texts-ahead';

it('a connection is metered if the user pays by the byte', () => {
  expect(isMetered({})).toBe(false);
  expect(isMetered({ effectiveType: '4g', type: 'wifi' })).toBe(false);
  expect(isMetered({ effectiveType: '4g', type: 'cellular' })).toBe(true);
  expect(isMetered({ effectiveType: '3g' })).toBe(true);
  expect(isMetered({ saveData: true })).toBe(true);
});
