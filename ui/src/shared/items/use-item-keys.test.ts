import { expect, it } from 'vitest';
import type { Item } from '../api/items';
import { step } from './use-item-keys';

const items = ['a', 'b', 'c'].map((id) => ({ id }) as Item);

it('a step goes to the neighbour, and not beyond the ends', () => {
  expect(step(items, 'a', 1)?.id).toBe('b');
  expect(step(items, 'b', -1)?.id).toBe('a');
  expect(step(items, 'c', 1)).toBeUndefined();
  expect(step(items, 'a', -1)).toBeUndefined();
});

it('with nothing chosen it goes to the first', () => {
  expect(step(items, null, 1)?.id).toBe('a');
  expect(step(items, 'gone', -1)?.id).toBe('a');
  expect(step([], null, 1)).toBeUndefined();
});
