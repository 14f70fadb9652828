import { expect, test } from 'vitest';
import type { WatchPostList } from '@/shared/api/watch';
import { Problem } from '@/shared/lib/problem';
import { chosenList, titlesOf } from './site-preview';
import { hasNoFeed } from './use-add-feed';

const list = (id: string, ...titles: string[]): WatchPostList => ({
  id,
  posts: titles.map((title, at) => ({ url: `https://a.example/${at}`, title, published_at: null })),
});

test('the best list is chosen until the user chooses another', () => {
  const lists = [list('best', 'A'), list('other', 'B')];
  expect(chosenList(lists, null)?.id).toBe('best');
  expect(chosenList(lists, 'other')?.id).toBe('other');
  expect(chosenList(lists, 'gone')?.id).toBe('best');
  expect(chosenList([], null)).toBeUndefined();
});

test('a list is recognised by its first two titles', () => {
  expect(titlesOf(list('a', 'One', 'Two', 'Three'))).toEqual(['One', 'Two']);
  expect(titlesOf(list('a', ''))).toEqual(['https://a.example/0']);
});

test('a site is offered only where no feed was found', () => {
  const problem = (code: string) => new Problem({ status: 422, code, category: 'feed' });
  expect(hasNoFeed(problem('feed_not_found'))).toBe(true);
  expect(hasNoFeed(problem('feeds_unreadable'))).toBe(true);
  expect(hasNoFeed(problem('unreachable'))).toBe(false);
  expect(hasNoFeed(null)).toBe(false);
});
