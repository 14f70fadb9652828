// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import i18next from 'i18next';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderUi } from '../../../tests/render';
import { wasHeard, watchConnection } from '../lib/connection';
import { lazyPart, PART_DEADLINE_MS } from './lazy-part';

type Module = { Page: () => React.ReactNode };

const module: Module = { Page: () => <h1>Search</h1> };
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const never = () => new Promise<Module>(() => {});
const probe = vi.fn<() => Promise<boolean>>();
const reload = vi.fn();

watchConnection(
  () => probe(),
  () => Promise.resolve(),
);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { reload });
  reload.mockClear();
  sessionStorage.clear();
  probe.mockReset().mockResolvedValue(true);
  await wasHeard();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Shows a part that is loaded by this; lets everything that is due happen. */
async function show(load: () => Promise<Module>) {
  const Part = lazyPart(load, 'Page', 'page');
  await Part.preload();
  renderUi(
    <Suspense>
      <Part />
    </Suspense>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
}

const retry = () =>
  act(async () => {
    screen.getByRole('button').click();
    await vi.advanceTimersByTimeAsync(0);
  });

it('shows the part when its code is there', async () => {
  await show(async () => module);
  expect(screen.getByRole('heading').textContent).toBe('Search');
});

it('says that the server is away, and never reloads the page meanwhile', async () => {
  probe.mockResolvedValue(false);
  const load = vi.fn(gone);
  await show(load);
  expect(screen.getByRole('alert').textContent).toContain('Part of Kawaraban couldn’t be loaded.');
  await retry();
  expect(load).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
  act(() => void i18next.changeLanguage('ja'));
  expect(screen.getByRole('alert').textContent).toContain('読み込めませんでした');
  act(() => void i18next.changeLanguage('en'));
});

it('comes by the button', async () => {
  probe.mockResolvedValue(false);
  const load = vi.fn<() => Promise<Module>>(gone);
  await show(load);
  probe.mockResolvedValue(true);
  load.mockResolvedValue(module);
  await retry();
  expect(screen.getByRole('heading').textContent).toBe('Search');
});

it('comes without the button when the server is back', async () => {
  probe.mockResolvedValue(false);
  const load = vi.fn<() => Promise<Module>>(gone);
  await show(load);
  probe.mockResolvedValue(true);
  load.mockResolvedValue(module);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.getByRole('heading').textContent).toBe('Search');
});

it('gives up on a part that never arrives', async () => {
  probe.mockResolvedValue(false);
  const shown = show(never);
  await vi.advanceTimersByTimeAsync(PART_DEADLINE_MS);
  await shown;
  expect(screen.getByRole('alert').textContent).toContain('Part of Kawaraban couldn’t be loaded.');
});

it('reloads once for a newer version that has no such part, and then only when asked', async () => {
  await show(gone);
  expect(reload).toHaveBeenCalledTimes(1);
  await show(gone);
  expect(reload).toHaveBeenCalledTimes(1);
  await act(async () => {
    screen.getAllByRole('button')[1]?.click();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(reload).toHaveBeenCalledTimes(2);
});
