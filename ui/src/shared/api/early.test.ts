// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { type ItemFilter, type ItemOrder, itemsQuery, type Scope } from './items';
import { foldersQuery, subscriptionsQuery } from './subscriptions';

const script = readFileSync(path.resolve(import.meta.dirname, '../../../public/first-paint.js'), 'utf8');
const id = '01a1e331-3028-7559-b011-8d9677585965';
const page = { items: [], as_of: '1', has_more: false, next_cursor: null };

/** Opens the page at this address, as a browser would; gives what is asked for. */
function open(address: string) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (request: Request | string) => {
    const url = new URL(typeof request === 'string' ? request : request.url, location.origin);
    asked.push(url.pathname + url.search);
    return Promise.resolve(Response.json(url.pathname.endsWith('items') ? page : []));
  });
  history.replaceState(null, '', address);
  // biome-ignore lint/security/noGlobalEval: the browser runs the file as a script; so does the test
  globalThis.eval(script);
  return asked;
}

beforeEach(() => {
  document.head.innerHTML = '<meta name="theme-color" content="">';
  document.documentElement.removeAttribute('data-api');
  delete window.kawarabanEarly;
  localStorage.setItem('kawaraban.owner', id);
});

const scope = (place: Scope['place'], filter: ItemFilter = 'all', order: ItemOrder = 'newest'): Scope => ({
  place,
  filter,
  order,
});

it.each([
  ['/', scope({ kind: 'all' })],
  ['/?filter=unread&order=oldest', scope({ kind: 'all' }, 'unread', 'oldest')],
  [`/feeds/${id}?item=7`, scope({ kind: 'feed', id })],
  [`/folders/${id}?filter=starred`, scope({ kind: 'folder', id }, 'starred')],
])('what %s needs is asked for once, before the client is there', async (address, wanted) => {
  const asked = open(address);
  const early = [...asked];
  expect(early).toHaveLength(4);
  const client = new QueryClient();
  await client.fetchQuery(subscriptionsQuery);
  await client.fetchQuery(foldersQuery);
  await client.fetchInfiniteQuery(itemsQuery(wanted));
  expect(asked).toEqual(early);
  // The next time it is asked for anew.
  await client.fetchInfiniteQuery({ ...itemsQuery(wanted), staleTime: 0 });
  expect(asked).toHaveLength(5);
});

it('nothing is asked for where nobody was, elsewhere, or on other pages', () => {
  expect(open('/settings/appearance')).toEqual([]);
  document.documentElement.dataset.api = 'elsewhere';
  expect(open('/')).toEqual([]);
  document.documentElement.removeAttribute('data-api');
  localStorage.clear();
  expect(open('/')).toEqual([]);
});
