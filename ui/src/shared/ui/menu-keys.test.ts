import { expect, it } from 'vitest';
import { itemToFocus } from './menu-keys';

const items = ['Reload', 'Rename', ' settings', '設定'].map((textContent) => ({ textContent, focus: () => {} }));
const goes = (key: string, from: number) => {
  const next = itemToFocus(key, items, items[from]);
  return next ? items.indexOf(next) : null;
};

it('goes up and down, around the ends', () => {
  expect([goes('ArrowDown', 0), goes('ArrowDown', 3), goes('ArrowUp', 0), goes('ArrowUp', 2)]).toEqual([1, 0, 3, 1]);
  expect([goes('ArrowDown', -1), goes('Home', 2), goes('End', 0)]).toEqual([0, 0, 3]);
});

it('finds the next item by its first letter, whatever its case and script', () => {
  expect([goes('r', 0), goes('R', 1), goes('s', 0), goes('設', 0)]).toEqual([1, 0, 2, 3]);
});

it('leaves other keys alone', () => {
  expect([goes('Enter', 0), goes(' ', 0), goes('Escape', 0), goes('q', 0)]).toEqual([null, null, null, null]);
});
