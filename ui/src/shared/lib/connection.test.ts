// @vitest-environment jsdom
import { onlineManager } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { checkConnection, getConnection, wasHeard, wasLost, watchConnection } from './connection';

let isThere = false;
const steps: string[] = [];
const probe = vi.fn(async () => isThere);

watchConnection(probe, async () => {
  steps.push(`sent while ${onlineManager.isOnline() ? 'online' : 'offline'}`);
});

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  isThere = false;
  await wasHeard();
  probe.mockClear();
  steps.length = 0;
});

it('is asked for again, less and less often, until somebody answers; then first what waits is sent', async () => {
  wasLost();
  expect(getConnection()).toBe('unreachable');
  expect(onlineManager.isOnline()).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(probe).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(probe).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(probe).toHaveBeenCalledTimes(2);
  isThere = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(getConnection()).toBe('online');
  expect(steps).toEqual(['sent while offline']);
  expect(onlineManager.isOnline()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probe).toHaveBeenCalledTimes(3);
});

it('that the browser has a network is only a hint: the server is asked', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  expect(getConnection()).toBe('offline');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(getConnection()).toBe('unreachable');
  isThere = true;
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(getConnection()).toBe('online');
});

it('shares a request, unless a user asks again: then the newer answer counts', async () => {
  const answers: ((isReachable: boolean) => void)[] = [];
  probe.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  void checkConnection();
  void checkConnection();
  expect(answers).toHaveLength(1);
  const asked = checkConnection(true);
  expect(answers).toHaveLength(2);
  answers[1]?.(true);
  expect(await asked).toBe(true);
  answers[0]?.(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(getConnection()).toBe('online');
  probe.mockImplementation(async () => isThere);
});
