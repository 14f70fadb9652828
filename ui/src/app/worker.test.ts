// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { wasHeard, wasLost } from '@/shared/lib/connection';
import type { AppRouter } from './router';
import { startWorker } from './worker';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Starts with a service worker container that registers this. */
async function startWith(register: () => Promise<object>): Promise<void> {
  vi.useFakeTimers();
  vi.stubEnv('PROD', true);
  vi.stubGlobal('navigator', {
    onLine: true,
    serviceWorker: { controller: null, register, addEventListener: () => {} },
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  startWorker({ subscribe: () => () => {} } as unknown as AppRouter);
  await vi.advanceTimersByTimeAsync(0);
}

it('is installed again when keeping the files failed though there is a connection', async () => {
  const installing = () => Object.assign(new EventTarget(), { state: 'installing' });
  const registration = { active: null as object | null, installing: installing() };
  const register = vi.fn(async () => registration);
  register.mockRejectedValueOnce(new TypeError('the script could not be loaded'));
  await startWith(register);
  expect(register).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(register).toHaveBeenCalledTimes(2);

  const become = (state: string) => {
    registration.installing.state = state;
    registration.installing.dispatchEvent(new Event('statechange'));
  };
  become('installed');
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000);
  expect(register).toHaveBeenCalledTimes(2);

  become('redundant');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(register).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(register).toHaveBeenCalledTimes(3);

  registration.active = {};
  become('redundant');
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000);
  expect(register).toHaveBeenCalledTimes(3);
});

it('is installed again when the connection broke off while it kept the files, and not once it is active', async () => {
  const registration = { active: null as object | null };
  const register = vi.fn(async () => registration);
  await startWith(register);
  expect(register).toHaveBeenCalledTimes(1);

  wasLost();
  expect(register).toHaveBeenCalledTimes(1);
  await wasHeard();
  expect(register).toHaveBeenCalledTimes(2);

  registration.active = {};
  wasLost();
  await wasHeard();
  expect(register).toHaveBeenCalledTimes(2);
});
