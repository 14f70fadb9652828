import { expect, it } from 'vitest';
import { arrival } from './visits';

const left = { entry: 'a', top: 640, chosenId: null };

it('only "back" leads to where one was', () => {
  expect(arrival(undefined, 'a')).toBe('first');
  expect(arrival(left, 'a')).toBe('back');
  expect(arrival(left, 'b')).toBe('anew');
});
