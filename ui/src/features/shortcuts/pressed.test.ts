import { expect, it } from 'vitest';
import { pressed } from './pressed';

it.each([
  ['j', ['j'], false],
  ['A', ['Shift', 'A'], false],
  ['?', ['?'], false],
  ['Enter', ['Enter'], false],
  ['Escape', ['Esc'], false],
  ['g a', ['g', 'a'], true],
  ['Mod+k', ['Ctrl', 'K'], false],
])('%s is on the keys %s', (shortcut, keys, isSequence) => {
  expect(pressed(shortcut, false)).toEqual({ keys, isSequence });
});

it('calls Ctrl ⌘ on a Mac', () => {
  expect(pressed('Mod+k', true).keys).toEqual(['⌘', 'K']);
});
