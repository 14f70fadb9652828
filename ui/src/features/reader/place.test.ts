import { expect, it } from 'vitest';
import type { Scope } from '@/shared/api/items';
import type { Subscription } from '@/shared/api/subscriptions';
import { newItems } from './place';

const subscriptions = [
  { feed_id: 'a', folder_id: 'x', items_added: 12 },
  { feed_id: 'b', folder_id: null, items_added: 3 },
  { feed_id: 'c', folder_id: null, items_added: 4 },
] as Subscription[];
const scope = (place: Scope['place'], filter: Scope['filter'] = 'all'): Scope => ({ place, filter, order: 'newest' });
const added = { a: 10, b: 2 };

it('counts the items that came into a list after it was loaded', () => {
  expect(newItems(scope({ kind: 'all' }), subscriptions, added)).toBe(3);
  expect(newItems(scope({ kind: 'feed', id: 'a' }), subscriptions, added)).toBe(2);
  expect(newItems(scope({ kind: 'folder', id: 'x' }), subscriptions, added)).toBe(2);
  expect(newItems(scope({ kind: 'all' }, 'starred'), subscriptions, added)).toBe(0);
});

it('does not count the items of a feed that was added later', () => {
  expect(newItems(scope({ kind: 'feed', id: 'c' }), subscriptions, added)).toBe(0);
});
