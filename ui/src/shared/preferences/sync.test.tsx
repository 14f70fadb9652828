// @vitest-environment jsdom
import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { answerWith, renderUi } from '../../../tests/render';
import { defaults } from './preferences';
import { getPreferences, setPreferences } from './storage';
import { useChangePreferences, useServerPreferences } from './sync';

let change: ReturnType<typeof useChangePreferences>;

function Page() {
  useServerPreferences();
  change = useChangePreferences();
  return null;
}

/** A server that keeps settings. */
function server() {
  let kept: unknown = { theme: 'dark', language: null, density: 'compact', preferences: { phone: { swipe: true } } };
  return answerWith(async (request) => {
    if (request.method === 'PUT') kept = await request.json();
    return Response.json(kept);
  });
}

beforeEach(() => {
  setPreferences(defaults);
});

it('takes over what the server keeps', async () => {
  server();
  renderUi(<Page />);
  await waitFor(() => expect(getPreferences()).toMatchObject({ theme: 'dark', density: 'compact' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
});

it('shows a change at once and sends it after, with what others keep there', async () => {
  const { asked } = server();
  renderUi(<Page />);
  await waitFor(() => expect(getPreferences().theme).toBe('dark'));
  act(() => change({ readingFont: 'serif' }));
  act(() => change({ theme: 'light' }));
  expect(document.documentElement.dataset.theme).toBe('light');
  expect(document.documentElement.dataset.readingFont).toBe('serif');
  const sent = () => asked.filter((request) => request.method === 'PUT');
  await waitFor(async () =>
    expect(await sent().at(-1)?.clone().json()).toMatchObject({
      theme: 'light',
      density: 'compact',
      preferences: { readingFont: 'serif', phone: { swipe: true } },
    }),
  );
  await waitFor(() => expect(getPreferences()).toMatchObject({ theme: 'light', readingFont: 'serif' }));
});
