import { expect, test } from 'vitest';
import { buckets } from './buckets';

const hour = (at: number, fetches: number, latency: number | null = null) => ({
  hour: new Date(at * 3_600_000).toISOString(),
  fetches,
  failures: fetches > 1 ? 1 : 0,
  unchanged: 0,
  new_items: fetches * 2,
  latency_ms_average: latency,
  latency_ms_max: latency === null ? null : latency * 2,
});
const month = Array.from({ length: 720 }, (_, at) => hour(at, 1, 100));

test('a range has its number of bars, and the last one ends now', () => {
  expect(buckets(month, 'day').map(({ fetches }) => fetches)).toEqual(Array(24).fill(1));
  expect(buckets(month, 'week')).toHaveLength(28);
  expect(buckets(month, 'month').map(({ fetches }) => fetches)).toEqual(Array(30).fill(24));
  expect(buckets(month, 'month').at(-1)?.from).toBe(month[696]?.hour);
});

test('hours are added up, and averages weighed by how many fetches they are of', () => {
  const [six] = buckets([hour(0, 1, 100), hour(1, 3, 300), hour(2, 0)], 'week');
  expect(six).toMatchObject({ fetches: 4, failures: 1, newItems: 8, average: 250, slowest: 600 });
});

test('without a fetch there is no time for one', () => {
  expect(buckets([hour(0, 0)], 'day')).toMatchObject([{ fetches: 0, average: null, slowest: null }]);
  expect(buckets([], 'day')).toEqual([]);
});
