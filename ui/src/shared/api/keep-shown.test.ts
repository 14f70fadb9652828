import { expect, it } from 'vitest';
import type { Schema } from './client';
import { withCounts } from './keep-shown';

const feed = (id: string, unread_count: number, folder_id: string | null = null) =>
  ({ id, unread_count, folder_id }) as Schema<'SubscriptionView'>;

it('keeps the counts that are shown, and of everything else what the server said', () => {
  const answered = [feed('a', 3), feed('b', 2)];
  const shown = [feed('a', 1, 'moved, perhaps'), feed('c', 9)];
  expect(withCounts(answered, shown)).toEqual([feed('a', 1), feed('b', 2)]);
});
