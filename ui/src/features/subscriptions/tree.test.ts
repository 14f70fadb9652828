import { expect, it } from 'vitest';
import { type Folder, neighbour, reordered, type Subscription, treeOf } from './tree';

const feed = (id: string, folder_id: string | null, unread_count = 1) =>
  ({ id: `s${id}`, feed_id: id, feed_title: id.toUpperCase(), folder_id, unread_count }) as Subscription;
const folder = (id: string, position: number) => ({ id, name: id, position, unread_count: 0 }) as Folder;

const tree = treeOf(
  [feed('c', 'two', 4), feed('a', 'two', 2), feed('z', null), feed('b', 'one'), feed('lost', 'gone')],
  [folder('two', 1), folder('one', 0)],
  'en',
);

it('feeds stand in their folders, by name; those of no folder, or of one that is gone, behind', () => {
  expect(tree.folders.map((one) => [one.id, one.feeds.map((each) => each.feed_id), one.unread])).toEqual([
    ['one', ['b'], 1],
    ['two', ['a', 'c'], 6],
  ]);
  expect(tree.loose.map((one) => one.feed_id)).toEqual(['lost', 'z']);
  expect(tree.unread).toBe(9);
});

it('the next feed is the one below', () => {
  expect(neighbour(tree, undefined, 1)?.feed_id).toBe('b');
  expect(neighbour(tree, 'b', 1)?.feed_id).toBe('a');
  expect(neighbour(tree, 'a', -1)?.feed_id).toBe('b');
  expect(neighbour(tree, 'z', 1)).toBeUndefined();
  expect(neighbour(tree, undefined, -1)?.feed_id).toBe('z');
});

it('a folder that moves makes the others move up', () => {
  const folders = [folder('a', 0), folder('b', 1), folder('c', 2)];
  const names = (position: number) => reordered(folders, 'a', position).map((one) => one.id);
  expect(names(1)).toEqual(['b', 'a', 'c']);
  expect(names(9)).toEqual(['b', 'c', 'a']);
  expect(names(-1)).toEqual(['a', 'b', 'c']);
  expect(reordered(folders, 'c', 0).map((one) => one.position)).toEqual([0, 1, 2]);
});
