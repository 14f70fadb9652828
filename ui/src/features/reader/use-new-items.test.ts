import { expect, it } from 'vitest';
import type { Schema } from '@/shared/api/client';
import type { Scope } from '@/shared/api/items';
import { concerns } from './use-new-items';

const subscriptions = [
  { feed_id: 'a', folder_id: 'x' },
  { feed_id: 'b', folder_id: null },
] as Schema<'SubscriptionView'>[];
const scope = (place: Scope['place'], filter: Scope['filter'] = 'all'): Scope => ({ place, filter, order: 'newest' });

it('new items concern the lists that they would be in', () => {
  expect(concerns(scope({ kind: 'all' }), 'a', subscriptions)).toBe(true);
  expect(concerns(scope({ kind: 'feed', id: 'a' }), 'a', subscriptions)).toBe(true);
  expect(concerns(scope({ kind: 'feed', id: 'b' }), 'a', subscriptions)).toBe(false);
  expect(concerns(scope({ kind: 'folder', id: 'x' }), 'a', subscriptions)).toBe(true);
  expect(concerns(scope({ kind: 'folder', id: 'x' }), 'b', subscriptions)).toBe(false);
  expect(concerns(scope({ kind: 'all' }, 'starred'), 'a', subscriptions)).toBe(false);
});
