import { beforeEach, expect, it, vi } from 'vitest';
import { arrivedCounts, toldCount, withPending } from './counts';
import { pending } from './pending';

let answer: ((response: Response) => void) | undefined;
const read = (id: string, feed: string) =>
  pending.add({ kind: 'item', id, state: { is_read: true }, base: { is_read: false }, shifts: { [feed]: -1 } });
const arrive = async () => {
  await expect.poll(() => answer).toBeDefined();
  answer?.(Response.json({ states: [] }));
  await expect.poll(() => pending.get()).toEqual([]);
};

beforeEach(() => {
  answer = undefined;
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = resolve)));
  return () => arrivedCounts();
});

it('a count that is asked for has what the server does not know yet, and is asked for anew when it does', async () => {
  read('1', 'f');
  expect(withPending({ feed_id: 'f', unread_count: 8 }).unread_count).toBe(7);
  expect(withPending({ feed_id: 'g', unread_count: 3 }).unread_count).toBe(3);
  expect(arrivedCounts().areOthersDoubtful).toBe(false);
  await arrive();
  expect(arrivedCounts().areOthersDoubtful).toBe(true);
  expect(arrivedCounts().areOthersDoubtful).toBe(false);
});

it('a count that comes while a change is on its way is shown when that has arrived, not taken off twice', async () => {
  read('1', 'f');
  expect(toldCount({ feed_id: 'g', unread_count: 3 })).toBe(3);
  expect(toldCount({ feed_id: 'f', unread_count: 7 })).toBeNull();
  expect(arrivedCounts().counts.size).toBe(0);
  await arrive();
  expect([...arrivedCounts().counts]).toEqual([['f', 7]]);
  expect(toldCount({ feed_id: 'f', unread_count: 6 })).toBe(6);
});
