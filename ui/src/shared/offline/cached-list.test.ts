import { expect, it } from 'vitest';
import type { Item, Scope } from '../api/items';
import { pageOf } from './cached-list';

const feeds = [
  { feed_id: 'f', folder_id: null },
  { feed_id: 'g', folder_id: 'tech' },
];
const item = (id: string, feed_id: string, day: number, over: Partial<Item> = {}) =>
  ({
    id,
    feed_id,
    published_at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
    is_read: false,
    is_starred: false,
    ...over,
  }) as Item;
const all: Scope = { place: { kind: 'all' }, filter: 'all', order: 'newest' };
const items = [
  item('9', 'f', 1),
  item('10', 'g', 3, { is_read: true }),
  item('11', 'g', 2, { is_starred: true }),
  item('12', 'f', 2),
  item('13', 'unsubscribed', 4),
];
const idsOf = (scope: Scope, after: string | null = null) =>
  pageOf(items, feeds, scope, after)?.items.map(({ id }) => id);

it('is in the order of the server: by date, then by arrival; without feeds that one reads no more', () => {
  expect(idsOf(all)).toEqual(['10', '12', '11', '9']);
  expect(idsOf({ ...all, order: 'oldest' })).toEqual(['9', '11', '12', '10']);
});

it('is of a feed or a folder, unread or starred', () => {
  expect(idsOf({ ...all, place: { kind: 'feed', id: 'f' } })).toEqual(['12', '9']);
  expect(idsOf({ ...all, place: { kind: 'folder', id: 'tech' } })).toEqual(['10', '11']);
  expect(idsOf({ ...all, filter: 'unread' })).toEqual(['12', '11', '9']);
  expect(idsOf({ ...all, filter: 'starred' })).toEqual(['11']);
});

it('is empty when there is nothing of the kind, and none when nothing is known', () => {
  expect(idsOf({ ...all, place: { kind: 'feed', id: 'f' }, filter: 'starred' })).toEqual([]);
  expect(idsOf({ ...all, place: { kind: 'folder', id: 'other' } })).toBeUndefined();
});

it('goes on behind the last one, also when that was read meanwhile', () => {
  const many = Array.from({ length: 120 }, (_, at) => item(String(at + 1), 'f', 1));
  const unread: Scope = { ...all, filter: 'unread' };
  const first = pageOf(many, feeds, unread, null);
  expect(first).toMatchObject({ has_more: true, next_cursor: 'kept:71', as_of: '120', is_cached: true });
  const later = many.map((one) => (Number(one.id) >= 71 ? { ...one, is_read: true } : one));
  const second = pageOf(later, feeds, unread, '71');
  expect(second?.items.map(({ id }) => id).slice(0, 2)).toEqual(['70', '69']);
  expect(pageOf(later, feeds, unread, '21')).toMatchObject({ has_more: false, next_cursor: null });
});
