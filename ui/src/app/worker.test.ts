// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { wasHeard, wasLost } from '@/shared/offline/connection';
import type { AppRouter } from './router';
import { startWorker } from './worker';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('is installed again when the connection broke off while it kept the files, and not once it is active', async () => {
  vi.useFakeTimers();
  vi.stubEnv('PROD', true);
  const registration = { active: null as object | null };
  const register = vi.fn(async () => registration);
  vi.stubGlobal('navigator', {
    onLine: true,
    serviceWorker: { controller: null, register, addEventListener: () => {} },
  });
  startWorker({ subscribe: () => () => {} } as unknown as AppRouter);
  await vi.advanceTimersByTimeAsync(0);
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
