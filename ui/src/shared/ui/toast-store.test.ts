import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PLAIN_MS, Toasts, UNDO_MS } from './toast-store';

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('settle once their time is over, ten seconds when there is something to take back', () => {
    const toasts = new Toasts();
    const settle = vi.fn();
    toasts.show({ message: 'Saved' });
    toasts.show({ message: 'Unsubscribed', undo: () => {}, settle });
    vi.advanceTimersByTime(PLAIN_MS);
    expect(toasts.get().map((toast) => toast.message)).toEqual(['Unsubscribed']);
    vi.advanceTimersByTime(UNDO_MS - PLAIN_MS - 1);
    expect(settle).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(settle).toHaveBeenCalledOnce();
    expect(toasts.get()).toEqual([]);
  });

  it('never settle what was taken back', () => {
    const toasts = new Toasts();
    const [undo, settle] = [vi.fn(), vi.fn()];
    toasts.show({ message: 'Unsubscribed', undo, settle });
    toasts.undo(toasts.get()[0]?.id ?? 0);
    toasts.undo(1);
    vi.advanceTimersByTime(UNDO_MS * 2);
    expect(undo).toHaveBeenCalledOnce();
    expect(settle).not.toHaveBeenCalled();
  });

  it('stand still while somebody looks', () => {
    const toasts = new Toasts();
    toasts.show({ message: 'Saved' });
    vi.advanceTimersByTime(PLAIN_MS - 2_000);
    toasts.pause();
    vi.advanceTimersByTime(60_000);
    expect(toasts.get()).toHaveLength(1);
    toasts.resume();
    vi.advanceTimersByTime(1_999);
    expect(toasts.get()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(toasts.get()).toHaveLength(0);
  });

  it('settle at once when the page is left', () => {
    const toasts = new Toasts();
    const settle = vi.fn();
    toasts.show({ message: 'Unsubscribed', undo: () => {}, settle });
    toasts.settleAll();
    vi.advanceTimersByTime(UNDO_MS * 2);
    expect(settle).toHaveBeenCalledOnce();
  });
});
