// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { getConnection, wasHeard, watchConnection } from '../lib/connection';
import { Problem } from '../lib/problem';
import { firstOf, networkOrCache, staleTime } from './network-or-cache';

const problem = (status: number) => new Problem({ status, code: 'x', category: 'system' });
const kept = () => Promise.resolve('kept');
const nothing = () => Promise.resolve(undefined);

watchConnection(
  () => Promise.resolve(true),
  () => Promise.resolve(),
);

beforeEach(async () => {
  vi.useFakeTimers();
  await wasHeard();
});

it('the answer of the server counts, whatever is kept', async () => {
  const find = vi.fn(kept);
  expect(await firstOf(Promise.resolve('fresh'), find)).toBe('fresh');
  expect(find).not.toHaveBeenCalled();
});

it('without one there is what was kept, or words', async () => {
  for (const status of [0, 502, 503, 504]) {
    expect(await firstOf(Promise.reject(problem(status)), kept)).toBe('kept');
    await expect(firstOf(Promise.reject(problem(status)), nothing)).rejects.toMatchObject({ status });
  }
});

it('what the server refuses is refused', async () => {
  for (const status of [401, 403, 404, 429, 500]) {
    await expect(firstOf(Promise.reject(problem(status)), kept)).rejects.toMatchObject({ status });
  }
});

it('an answer that takes too long is not waited for, unless there is nothing else', async () => {
  let answer: (value: string) => void = () => {};
  const late = () => new Promise<string>((resolve) => (answer = resolve));
  const shown = firstOf(late(), kept);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await shown).toBe('kept');
  // The server answers other requests.
  expect(getConnection()).toBe('online');
  const waiting = firstOf(late(), nothing);
  await vi.advanceTimersByTimeAsync(10_000);
  answer('fresh');
  expect(await waiting).toBe('fresh');
});

it('stored data is stale at once, and a late answer replaces it', async () => {
  const client = new QueryClient();
  const queryKey = ['x'];
  const isStale = () => staleTime(30_000)({ queryHash: '["x"]' }) === 0;
  let answer: (value: string) => void = () => {};
  const late = new Promise<string>((resolve) => (answer = resolve));
  const shown = client.fetchQuery({ queryKey, queryFn: (context) => networkOrCache(context, late, kept) });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await shown).toBe('kept');
  expect(isStale()).toBe(true);
  answer('fresh');
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(queryKey)).toBe('fresh');
  expect(isStale()).toBe(false);
});
