// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '../api/problem';
import { getConnection, wasHeard } from './connection';
import { orKept } from './or-kept';

const problem = (status: number) => new Problem({ status, code: 'x', category: 'system' });
const kept = () => Promise.resolve('kept');
const nothing = () => Promise.resolve(undefined);

beforeEach(async () => {
  vi.useFakeTimers();
  await wasHeard();
});

it('the answer of the server counts, whatever is kept', async () => {
  const find = vi.fn(kept);
  expect(await orKept(Promise.resolve('fresh'), find)).toBe('fresh');
  expect(find).not.toHaveBeenCalled();
});

it('without one there is what was kept, or words', async () => {
  for (const status of [0, 502, 503, 504]) {
    expect(await orKept(Promise.reject(problem(status)), kept)).toBe('kept');
    await expect(orKept(Promise.reject(problem(status)), nothing)).rejects.toMatchObject({ status });
  }
});

it('what the server refuses is refused', async () => {
  for (const status of [401, 403, 404, 429, 500]) {
    await expect(orKept(Promise.reject(problem(status)), kept)).rejects.toMatchObject({ status });
  }
});

it('an answer that takes too long is not waited for, unless there is nothing else', async () => {
  let answer: (value: string) => void = () => {};
  const late = () => new Promise<string>((resolve) => (answer = resolve));
  const shown = orKept(late(), kept);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await shown).toBe('kept');
  expect(getConnection()).toBe('unreachable');
  const waiting = orKept(late(), nothing);
  await vi.advanceTimersByTimeAsync(10_000);
  answer('fresh');
  expect(await waiting).toBe('fresh');
});
