import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../lib/problem';
import { createQueryClient, onSignedOut, retries, retryDelay } from './query-client';

const problem = (status: number, retryAfterSeconds: number | null = null, code = 'x') =>
  new Problem({ status, code, category: 'system', retryAfterSeconds });

describe('retries', () => {
  it('tries again what may pass, twice', () => {
    expect([0, 1, 2].map((failures) => retries(failures, problem(503)))).toEqual([true, true, false]);
    expect(retries(0, problem(0))).toBe(true);
  });

  it('does not repeat what will be refused again', () => {
    for (const status of [400, 401, 403, 404, 409, 422]) expect(retries(0, problem(status))).toBe(false);
    expect(retries(0, new Error('a fault of ours'))).toBe(false);
  });

  it('waits as long as it is told, unless that is too long', () => {
    expect(retries(0, problem(429, 5))).toBe(true);
    expect(retryDelay(0, problem(429, 5))).toBe(5_000);
    expect(retries(0, problem(429, 600))).toBe(false);
  });
});

it('says when the server no longer knows who we are, and only then', async () => {
  const client = createQueryClient();
  const heard = vi.fn();
  const stop = onSignedOut(heard);
  const ask = (error: Problem) =>
    client.fetchQuery({ queryKey: [error.code], queryFn: () => Promise.reject(error), retry: false }).catch(() => {});
  await ask(problem(401, null, 'wrong_credentials'));
  expect(heard).not.toHaveBeenCalled();
  await ask(problem(401, null, 'sign_in_required'));
  expect(heard).toHaveBeenCalledOnce();
  stop();
  await ask(problem(401, null, 'sign_in_required'));
  expect(heard).toHaveBeenCalledOnce();
});
