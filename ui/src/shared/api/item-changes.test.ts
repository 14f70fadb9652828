import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from './client';
import { applyPatch, changeItems, findItem } from './item-changes';
import { type Item, type ItemDetail, type ItemPages, itemKeys, type Scope } from './items';
import { subscriptionKeys } from './subscriptions';

const item = (id: string, feed_id = 'f', is_read = false) => ({ id, feed_id, is_read, is_starred: false }) as Item;
const page = (...items: Item[]) => ({ items, as_of: '1', has_more: false, next_cursor: null });
const pages = (...all: Item[][]): ItemPages => ({
  pages: all.map((items) => page(...items)),
  pageParams: all.map(() => null),
});
const everything: Scope = { place: { kind: 'all' }, filter: 'all', order: 'newest' };
const unread: Scope = { ...everything, filter: 'unread' };

let client: QueryClient;
const list = (scope: Scope) => client.getQueryData<ItemPages>(itemKeys.list(scope));
const counts = () =>
  client.getQueryData<Schema<'SubscriptionView'>[]>(subscriptionKeys.all)?.map((one) => one.unread_count);

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(itemKeys.list(everything), pages([item('1'), item('2')], [item('3', 'g')]));
  client.setQueryData(itemKeys.list(unread), pages([item('1')]));
  client.setQueryData(itemKeys.search('x'), pages([item('1')]));
  client.setQueryData(itemKeys.detail('1'), { ...item('1'), content: 'text' } as ItemDetail);
  client.setQueryData(subscriptionKeys.all, [
    { feed_id: 'f', unread_count: 2 },
    { feed_id: 'g', unread_count: 0 },
  ]);
});

describe('a changed item', () => {
  it('is changed in all lists, searches and by itself; it stays in the unread list', () => {
    applyPatch(client, '1', { is_read: true });
    const shown = [list(everything), list(unread), client.getQueryData<ItemPages>(itemKeys.search('x'))];
    expect(shown.map((data) => data?.pages[0]?.items[0]?.is_read)).toEqual([true, true, true]);
    expect(client.getQueryData<ItemDetail>(itemKeys.detail('1'))).toMatchObject({ is_read: true, content: 'text' });
  });

  it('counts in its feed, once, and never below nothing', () => {
    applyPatch(client, '1', { is_read: true });
    applyPatch(client, '1', { is_read: true });
    applyPatch(client, '3', { is_read: true });
    expect(counts()).toEqual([1, 0]);
  });

  it('gives back what undoes it', () => {
    const inverse = applyPatch(client, '1', { is_read: true, is_starred: true });
    expect(inverse).toEqual({ is_read: false, is_starred: false });
    applyPatch(client, '1', inverse ?? {});
    expect(findItem(client, '1')).toMatchObject({ is_read: false, is_starred: false });
    expect(counts()).toEqual([2, 0]);
  });

  it('is nothing to do when it is so already, or unknown', () => {
    expect(applyPatch(client, '1', { is_starred: false })).toBeNull();
    expect(applyPatch(client, '9', { is_read: true })).toBeNull();
  });

  it('leaves all other rows the same objects', () => {
    const before = list(everything);
    changeItems(client, (one) => (one.id === '1' ? { ...one, is_read: true } : one));
    const after = list(everything);
    expect(after?.pages[1]).toBe(before?.pages[1]);
    expect(after?.pages[0]?.items[1]).toBe(before?.pages[0]?.items[1]);
  });
});
