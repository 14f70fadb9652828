import { expect, test } from 'vitest';
import { Problem } from '@/shared/lib/problem';
import { hostOf } from './looking-notice';
import { type Offer, offersOf } from './use-add-feed';

const offer = (url: string): Offer => ({ url, title: null, kind: 'rss' });

test('a single feed is no choice, several are', () => {
  expect(offersOf(undefined, null)).toEqual([]);
  expect(offersOf([offer('a')], null)).toEqual([]);
  expect(offersOf([offer('a'), offer('b')], null)).toHaveLength(2);
});

test('what an error names instead can be chosen, also when it is one', () => {
  const body = { code: 'feed_not_found', message: 'none', category: 'feed', action: '' } as const;
  const candidates = [{ url: 'https://a.example/feed', title: 'A' }];
  const problem = new Problem({ ...body, status: 422, body: { ...body, candidates } });
  expect(offersOf(undefined, problem)).toEqual([{ url: 'https://a.example/feed', title: 'A', kind: 'unknown' }]);
  expect(offersOf(undefined, new Error('other'))).toEqual([]);
});

test('a site is called by its host, however its address was pasted', () => {
  expect(hostOf('https://blog.example.com/a?b')).toBe('blog.example.com');
  expect(hostOf(' example.com/feed ')).toBe('example.com');
  expect(hostOf('localhost:8080/x')).toBe('localhost:8080');
  expect(hostOf('not an address')).toBe('not an address');
});
