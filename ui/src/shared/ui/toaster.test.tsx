// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderUi } from '../../../tests/render';
import { enterLayer } from './layers';
import { say } from './say';
import { toast, toasts } from './toast-store';
import { Toaster } from './toaster';

const heard = () => [...screen.getByRole('status').children].map((one) => one.textContent);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  act(() => toasts.settleAll());
  act(() => vi.runAllTimers());
  vi.useRealTimers();
});

it('says what a toast says, once, and how to take it back', () => {
  renderUi(<Toaster />);
  act(() => void toast({ message: 'Moved.', undo: () => {} }));
  act(() => void toast({ message: 'Saved' }));
  expect(heard()).toEqual(['Moved.', 'Press z to undo.', 'Saved']);
  act(() => vi.advanceTimersByTime(6_000));
  // "Saved" has gone, the other is the last one again: it is not said a second time.
  expect(heard()).toEqual([]);
});

it('says the same words again', () => {
  renderUi(<Toaster />);
  act(() => say('Saved'));
  const first = screen.getByText('Saved');
  act(() => say('Saved'));
  expect(heard()).toEqual(['Saved', 'Saved']);
  expect(screen.getAllByText('Saved')[0]).toBe(first);
});

it('takes the last change back with a key', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  renderUi(<Toaster />);
  act(() => void toast({ message: 'One', undo: first }));
  act(() => void toast({ message: 'Two', undo: second }));
  act(() => void toast({ message: 'Three' }));
  fireEvent.keyDown(document.body, { key: 'z', code: 'KeyZ' });
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  fireEvent.keyDown(document.body, { key: 'я', code: 'KeyZ' });
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});

it('is in the modal window that lies on top, and in the page again when it is closed', () => {
  renderUi(<Toaster />);
  const window = document.createElement('dialog');
  document.body.append(window);
  let leave = () => {};
  act(() => {
    leave = enterLayer(window);
  });
  expect(window.contains(screen.getByRole('status', { hidden: true }))).toBe(true);
  act(() => leave());
  expect(window.childElementCount).toBe(0);
  expect(screen.getByRole('status').parentElement).toBe(document.body);
  window.remove();
});
