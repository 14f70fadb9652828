import { expect, it } from 'vitest';
import type { Item, ItemPages } from '@/shared/api/items';
import { trimmed } from './use-list';

const item = (id: string, is_read: boolean, is_starred = false) => ({ id, is_read, is_starred }) as Item;
const page = (items: Item[]) => ({ items, as_of: '1', has_more: true, next_cursor: 'c' });
const data: ItemPages = {
  pages: [page([item('3', true), item('2', false, true)]), page([item('1', false)])],
  pageParams: [null, 'c'],
};
const left = (filter: 'all' | 'unread' | 'starred') => trimmed(data, { filter }).pages[0]?.items.map(({ id }) => id);

it('a list that is left keeps its first page', () => {
  expect(trimmed(data, { filter: 'all' }).pages).toHaveLength(1);
  expect(trimmed(data, { filter: 'all' }).pageParams).toEqual([null]);
});

it('what was read leaves the unread list only then', () => {
  expect(left('all')).toEqual(['3', '2']);
  expect(left('unread')).toEqual(['2']);
  expect(left('starred')).toEqual(['2']);
});
