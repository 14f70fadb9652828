import { expect, test } from 'vitest';
import type { WatchCheck, WatchedBlog } from '@/shared/api/watch';
import { Problem } from '@/shared/lib/problem';
import { MOST_ADDRESSES, parseAddresses } from './addresses';
import { resultKind } from './history';
import { failureOf } from './use-add-sites';
import { resultOf } from './use-check';
import { parseWords, wordsText } from './word-list';

test('addresses are read line by line, each once', () => {
  const text = ' example.com \r\n\nhttps://example.com/\nhttps://example.com/blog\n- <https://b.example/>\n';
  expect(parseAddresses(text)).toEqual({
    addresses: ['example.com', 'https://example.com/blog', 'https://b.example/'],
    tooMany: 0,
  });
  expect(parseAddresses('\n  \n').addresses).toEqual([]);
});

test('an address that cannot be read is kept: the server says what is wrong', () => {
  expect(parseAddresses('not an address').addresses).toEqual(['not an address']);
});

test('addresses beyond the limit are counted', () => {
  const { addresses, tooMany } = parseAddresses(Array.from({ length: 205 }, (_, at) => `${at}.example`).join('\n'));
  expect([addresses.length, tooMany]).toEqual([MOST_ADDRESSES, 5]);
});

test('words are separated by commas and new lines, also Japanese ones', () => {
  expect(parseWords('Rust, web  assembly\n採用、求人，PR,,\n rust')).toEqual([
    'Rust',
    'web assembly',
    '採用',
    '求人',
    'PR',
  ]);
  expect(parseWords(' \n,')).toEqual([]);
  expect(parseWords(wordsText(['a b', 'c']))).toEqual(['a b', 'c']);
});

test('a site that is watched already is no failure', () => {
  const body = { code: 'already_subscribed', category: 'feed', message: 'Already.', action: 'Open it.' } as const;
  expect(failureOf(new Problem({ ...body, status: 409 }))).toEqual({ outcome: 'present' });
  expect(failureOf(new Problem({ ...body, status: 422, code: 'other' }))).toEqual({
    outcome: 'failed',
    message: 'Already.\nOpen it.',
  });
});

test('a check has one result', () => {
  const check: WatchCheck = {
    id: '1',
    checked_at: '2026-11-18T00:00:00Z',
    http_status: 200,
    is_skipped: false,
    is_changed: false,
    error_message: null,
  };
  expect(resultKind(check)).toBe('unchanged');
  expect(resultKind({ ...check, is_changed: true })).toBe('changed');
  expect(resultKind({ ...check, is_skipped: true, http_status: 304 })).toBe('skipped');
  expect(resultKind({ ...check, error_message: 'gone', http_status: 410 })).toBe('failed');
});

test('a finished check is compared with the state before', () => {
  const before = { state: 'ok', last_change_at: '2026-11-01T00:00:00Z' } as WatchedBlog;
  expect(resultOf(before, before)).toBe('same');
  expect(resultOf(before, { ...before, last_change_at: '2026-11-18T00:00:00Z' })).toBe('changed');
  expect(resultOf(before, { ...before, state: 'failing' })).toBe('failed');
});
