import { expect, it } from 'vitest';
import { actionOf, beginsSequence, shortcuts } from './shortcuts';

const all = Object.values(shortcuts).flatMap((group) => Object.entries(group) as [string, readonly string[]][]);
const keys = all.flatMap(([, ways]) => ways);

it('no key is for two things, no thing is there twice', () => {
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(all.map(([action]) => action)).size).toBe(all.length);
  for (const [action, ways] of all) for (const way of ways) expect(actionOf(way)).toBe(action);
});

it('a key that begins a sequence does nothing by itself', () => {
  expect(beginsSequence('g')).toBe(true);
  expect(keys.filter((key) => beginsSequence(key))).toEqual([]);
});
