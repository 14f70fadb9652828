// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaults } from '../preferences/preferences';
import { setPreferences } from '../preferences/storage';
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
  const j = vi.fn();
  const all = vi.fn();
  const a = vi.fn();
  render(<Page keys={{ j, 'g a': all, a }} />);
  press('j');
  press('g');
  press('a');
  press('a');
  expect([j, all, a].map((one) => one.mock.calls.length)).toEqual([1, 1, 1]);
});

it('stays out of the way: in text fields, with other keys held, in dialogs, and when it is off', () => {
  const j = vi.fn();
  const view = render(<Page keys={{ j }} />);
  press('j', {}, view.getByLabelText('box'));
  press('j', { ctrlKey: true });
  press('j', { metaKey: true });
  press('j', { isComposing: true });
  const dialog = document.createElement('dialog');
  dialog.setAttribute('open', '');
  document.body.append(dialog);
  press('j');
  dialog.remove();
  setPreferences({ ...defaults, shortcuts: false });
  press('j');
  expect(j).not.toHaveBeenCalled();
});

it('listens no longer than it is there', () => {
  const j = vi.fn();
  render(<Page keys={{ j }} />).unmount();
  press('j');
  expect(j).not.toHaveBeenCalled();
});
