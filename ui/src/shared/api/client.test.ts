// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api, body, done } from './client';

const me = {
  id: 'x',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'owner',
  has_password: true,
  created_at: '2026-01-01T00:00:00Z',
};
let asked: Request[] = [];

function server(answer: () => Response | Promise<Response>) {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request);
    return answer();
  });
}

describe('api', () => {
  beforeEach(() => {
    document.documentElement.lang = 'ja';
  });

  it('gives the body, and asks in the language of the page', async () => {
    server(() => Response.json(me));
    expect(await body(api.GET('/api/users/me'))).toEqual(me);
    expect(asked[0]?.headers.get('accept-language')).toBe('ja');
  });

  it('throws what the server says', async () => {
    server(() =>
      Response.json({ code: 'not_found', message: 'm', category: 'validation', action: 'a' }, { status: 404 }),
    );
    await expect(body(api.GET('/api/users/me'))).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  it('throws a problem of the connection when nothing comes back', async () => {
    server(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(body(api.GET('/api/users/me'))).rejects.toMatchObject({ category: 'connection', code: 'unreachable' });
  });

  it('lets a question that was taken back go', async () => {
    server(() => Promise.reject(new DOMException('', 'AbortError')));
    await expect(body(api.GET('/api/users/me'))).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is content without a body where there is none', async () => {
    server(() => new Response(null, { status: 204 }));
    await expect(done(api.POST('/auth/logout'))).resolves.toBeUndefined();
  });
});
