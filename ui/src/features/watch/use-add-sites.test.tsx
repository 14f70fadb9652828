// @vitest-environment jsdom
import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerWith, renderUi } from '../../../tests/render';
import { useAddSites } from './use-add-sites';

type Adding = ReturnType<typeof useAddSites>;

/** Shows the hook, and returns its current value. */
function shown(): () => Adding {
  let current: Adding | undefined;
  function Shown() {
    current = useAddSites(async () => 'folder');
    return null;
  }
  renderUi(<Shown />);
  return () => current as Adding;
}

const json = (body: unknown, status: number, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const problem = (code: string, status: number, headers = {}) =>
  json({ code, category: 'feed', message: 'No.', action: '' }, status, headers);
const outcomes = (adding: Adding) => adding.results.map(({ outcome }) => outcome);

test('sites are added in order, each with its result', async () => {
  const answers = [json({}, 201), problem('already_subscribed', 409), problem('feed_gone', 422)];
  const { asked } = answerWith(() => answers.shift() ?? json({}, 201));
  const adding = shown();
  await act(async () => adding().run(['a.example', 'b.example', 'c.example']));
  await vi.waitFor(() => expect(adding().isRunning).toBe(false));
  expect(outcomes(adding())).toEqual(['added', 'present', 'failed']);
  expect(adding().results[2]?.message).toBe('No.');
  expect(await asked[0]?.json()).toEqual({ url: 'a.example', kind: 'site', folder_id: 'folder' });
});

test('a site is tried again when the server accepts more', async () => {
  const answers = [problem('too_many_requests', 429, { 'retry-after': '1' }), json({}, 201)];
  const { asked } = answerWith(() => answers.shift() ?? json({}, 201));
  const adding = shown();
  await act(async () => adding().run(['a.example']));
  await vi.waitFor(() => expect(adding().pausedFor).toBe(1));
  await vi.waitFor(() => expect(outcomes(adding())).toEqual(['added']), { timeout: 10_000 });
  expect(asked).toHaveLength(2);
});

test('stopping keeps the result of the last request, and sends no more', async () => {
  let answer = (_: Response) => {};
  const { asked } = answerWith(() => new Promise((resolve) => (answer = resolve)));
  const adding = shown();
  await act(async () => adding().run(['a.example', 'b.example']));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await act(async () => adding().stop());
  expect(adding().isStopping).toBe(true);
  await act(async () => answer(json({}, 201)));
  await vi.waitFor(() => expect(outcomes(adding())).toEqual(['added', 'left']));
  expect(asked).toHaveLength(1);
});
