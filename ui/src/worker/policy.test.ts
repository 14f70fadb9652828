import { expect, it } from 'vitest';
import { cacheName, outdated, wayOf } from './policy';

const here = 'https://news.example';
const shell = new Set(['/index.html', '/icon.svg', '/first-paint.js', '/assets/index-abc.js']);
const way = (path: string, over: { method?: string; mode?: string } = {}) =>
  wayOf({ url: new URL(path, here).href, method: 'GET', mode: 'cors', ...over }, here, shell);

it('answers with parts of the pages, of this version or of the last', () => {
  for (const path of ['/assets/index-abc.js', '/assets/of-the-last-version.js', '/icon.svg', '/first-paint.js']) {
    expect(way(path)).toBe('shell');
  }
});

it('answers pages of the app, wherever somebody goes', () => {
  for (const path of ['/', '/?filter=unread', '/feeds/1?item=2', '/settings/account', '/apiary']) {
    expect(way(path, { mode: 'navigate' })).toBe('page');
    expect(way(path)).toBeNull();
  }
});

it('never answers for the API, signing in, other origins, or what changes something', () => {
  const mode = 'navigate';
  for (const path of ['/api/items', '/api', '/auth/google/login', '/auth/logout', '/healthz', '/metrics']) {
    expect(way(path, { mode })).toBeNull();
    expect(way(path)).toBeNull();
  }
  expect(way('/api/users/me/export.zip', { mode })).toBeNull();
  expect(way('https://elsewhere.example/', { mode })).toBeNull();
  expect(way('https://elsewhere.example/assets/index-abc.js')).toBeNull();
  expect(way('/', { mode, method: 'POST' })).toBeNull();
  expect(way('/sw.js')).toBeNull();
  expect(way('/missing.png', { mode })).toBeNull();
});

it('keeps the last version, of which pages may be open, and none before it', () => {
  const names = ['shell 1', 'shell 2', 'of somebody else', 'shell 3', cacheName('4')];
  expect(outdated(names, '4')).toEqual(['shell 1', 'shell 2']);
  expect(outdated(['shell 3', cacheName('4')], '4')).toEqual([]);
  expect(outdated([cacheName('4')], '4')).toEqual([]);
});
