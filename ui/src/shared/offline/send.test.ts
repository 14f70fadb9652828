// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { answerWith } from '../../../tests/render';
import { batchesOf, type Change, type MarkChange } from './change';
import { send } from './send';

const [batch] = batchesOf([
  { kind: 'item', seq: 1, id: '7', state: { is_starred: true }, shifts: {} },
  { kind: 'item', seq: 2, id: '8', state: { is_starred: true }, shifts: {} },
]);

async function outcomeOf(answer: () => Response | Promise<Response>) {
  answerWith(answer);
  return batch && (await send(batch, '')).is;
}

async function requestFor(change: Change) {
  const { asked } = answerWith(() => Response.json({}));
  for (const one of batchesOf([change])) await send(one, '');
  const request = asked[0];
  return request && [request.method, new URL(request.url).pathname, await request.json().catch(() => null)];
}

it('says what became of it', async () => {
  const status = (status: number) => () => new Response('{}', { status });
  expect(await outcomeOf(status(200))).toBe('sent');
  expect(await outcomeOf(status(401))).toBe('who');
  expect(await outcomeOf(status(404))).toBe('gone');
  expect(await outcomeOf(status(422))).toBe('refused');
  expect(await outcomeOf(status(403))).toBe('refused');
  expect(await outcomeOf(status(429))).toBe('later');
  expect(await outcomeOf(status(503))).toBe('later');
  expect(await outcomeOf(() => Promise.reject(new TypeError('Failed to fetch')))).toBe('lost');
});

it('asks as the API wants it, everything with its bounds', async () => {
  const mark: MarkChange = {
    kind: 'mark',
    seq: 1,
    place: { kind: 'all' },
    feeds: null,
    filter: 'all',
    as_of: '20',
    shifts: {},
  };
  expect(await requestFor(mark)).toEqual(['POST', '/api/items/read', { as_of: '20', filter: null, folder: null }]);
  expect(await requestFor({ ...mark, place: { kind: 'folder', id: 'x' }, filter: 'starred' })).toEqual([
    'POST',
    '/api/items/read',
    { as_of: '20', filter: 'starred', folder: 'x' },
  ]);
  expect(await requestFor({ ...mark, place: { kind: 'feed', id: 'y' } })).toEqual([
    'POST',
    '/api/feeds/y/read',
    { as_of: '20', filter: null },
  ]);
  expect(await requestFor({ kind: 'settings', seq: 1, body: { theme: 'dark' }, shifts: {} })).toEqual([
    'PUT',
    '/api/users/me/settings',
    { theme: 'dark' },
  ]);
  expect(await requestFor({ kind: 'undo', seq: 1, undo_token: 'u', ids: [], shifts: {} })).toEqual([
    'POST',
    '/api/undo',
    { undo_token: 'u' },
  ]);
  expect(await requestFor({ kind: 'delete', seq: 1, what: 'folders', id: 'x', held_until: 0, shifts: {} })).toEqual([
    'DELETE',
    '/api/folders/x',
    null,
  ]);
});
