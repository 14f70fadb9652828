// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaults } from '../preferences/preferences';
import { setPreferences } from '../preferences/storage';
import { lazyPart } from '../ui/lazy-part';
import { type Keys, useKeys } from './use-keys';

function Page({ keys }: { keys: Keys }) {
  useKeys(keys);
  return <input aria-label="box" />;
}

const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  target.dispatchEvent(
    new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true, ...more }),
  );

beforeEach(() => setPreferences(defaults));
afterEach(cleanup);

it('calls what a key does, and sequences of two', () => {
  const [nextOpen, goStarred, star] = [vi.fn(), vi.fn(), vi.fn()];
  render(<Page keys={{ nextOpen, goStarred, star }} />);
  press('j');
  press('g');
  press('s');
  press('s');
  expect([nextOpen, goStarred, star].map((one) => one.mock.calls.length)).toEqual([1, 1, 1]);
});

it('stays out of the way: in text fields, with other keys held, in dialogs, and when it is off', () => {
  const nextOpen = vi.fn();
  const view = render(<Page keys={{ nextOpen }} />);
  press('j', {}, view.getByLabelText('box'));
  press('j', { ctrlKey: true });
  press('j', { metaKey: true });
  press('j', { altKey: true });
  press('j', { modifierAltGraph: true });
  press('j', { isComposing: true });
  const dialog = document.createElement('dialog');
  dialog.setAttribute('open', '');
  document.body.append(dialog);
  press('j');
  dialog.remove();
  setPreferences({ ...defaults, shortcuts: false });
  press('j');
  expect(nextOpen).not.toHaveBeenCalled();
});

it('leaves keys alone while a dialog loads that they may be for', async () => {
  const nextOpen = vi.fn();
  const Late = lazyPart(() => new Promise<{ Late: () => null }>(() => {}), 'Late', 'dialog');
  const view = render(<Page keys={{ nextOpen }} />);
  await act(async () =>
    view.rerender(
      <>
        <Page keys={{ nextOpen }} />
        <Late />
      </>,
    ),
  );
  press('j');
  expect(nextOpen).not.toHaveBeenCalled();
});

it('goes on while a key is held that moves, and does everything else once', () => {
  const [nextOpen, star] = [vi.fn(), vi.fn()];
  render(<Page keys={{ nextOpen, star }} />);
  for (const key of ['j', 's']) {
    press(key);
    press(key, { repeat: true });
  }
  expect(nextOpen).toHaveBeenCalledTimes(2);
  expect(star).toHaveBeenCalledTimes(1);
});

it('takes keys with Ctrl or ⌘ out of the table, everywhere, and leaves all others to the browser', () => {
  const palette = vi.fn();
  const view = render(<Page keys={{ palette }} />);
  setPreferences({ ...defaults, shortcuts: false });
  expect(press('k', { ctrlKey: true }, view.getByLabelText('box'))).toBe(false);
  expect(press('л', { code: 'KeyK', metaKey: true })).toBe(false);
  expect(palette).toHaveBeenCalledTimes(2);
  expect(press('k', { ctrlKey: true, shiftKey: true })).toBe(true);
  expect(press('r', { ctrlKey: true })).toBe(true);
  expect(press('k')).toBe(true);
  expect(palette).toHaveBeenCalledTimes(2);
});

it('gives a key to the one that came last, unless that has no use for it', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  render(<Page keys={{ star: first, read: first }} />);
  render(<Page keys={{ star: second, read: false }} />);
  press('s');
  press('m');
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(1);
});

it('listens no longer than it is there', () => {
  const nextOpen = vi.fn();
  render(<Page keys={{ nextOpen }} />).unmount();
  press('j');
  expect(nextOpen).not.toHaveBeenCalled();
});
