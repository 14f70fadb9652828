import { expect, it } from 'vitest';
import { rowFeed } from './use-feed-of';

it('title and icon of a feed stay the same object while they are the same', () => {
  const before = rowFeed('A', null);
  expect(rowFeed('A', null)).toBe(before);
  expect(rowFeed('Another', null)).not.toBe(before);
  expect(rowFeed('A', '/icon')).toEqual({ title: 'A', icon: '/icon' });
});
