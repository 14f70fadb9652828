import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Shown, TooltipStore } from './tooltip-store';

const about = (text: string) => ({ anchor: {}, text, shortcut: undefined, side: 'bottom' }) as Shown;
let store: TooltipStore;

beforeEach(() => {
  vi.useFakeTimers();
  store = new TooltipStore();
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits for a pointer that rests, and not for the focus', () => {
  store.enter(about('a'), false);
  vi.advanceTimersByTime(449);
  expect(store.get()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(store.get()?.text).toBe('a');
  store.hide();
  store.enter(about('b'), true);
  expect(store.get()?.text).toBe('b');
});

it('never comes when the pointer only passes', () => {
  store.enter(about('a'), false);
  vi.advanceTimersByTime(200);
  store.leave();
  vi.advanceTimersByTime(2_000);
  expect(store.get()).toBeNull();
});

it('comes at once beside one that was just there, and stays under the pointer', () => {
  store.enter(about('a'), true);
  store.leave();
  store.stay();
  vi.advanceTimersByTime(5_000);
  expect(store.get()?.text).toBe('a');
  store.hide();
  store.enter(about('b'), false);
  expect(store.get()?.text).toBe('b');
});
