// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { Problem, problemOf, problemOfNoAnswer } from './problem';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

describe('problemOf', () => {
  it('keeps what the server says, with its fields by name', async () => {
    const fields = [{ field: 'email', message: 'Write an address.' }];
    const view = {
      code: 'invalid_request',
      message: 'That will not do.',
      category: 'validation',
      action: 'Look.',
      fields,
    };
    const problem = await problemOf(answer(400, view));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', category: 'validation', action: 'Look.' });
    expect(problem.message).toBe('That will not do.');
    expect(problem.fields).toEqual({ email: 'Write an address.' });
    expect(problem.mayPass).toBe(false);
  });

  it('reads how long to wait, and takes no nonsense for a number', async () => {
    const view = { code: 'too_many_requests', message: 'm', category: 'system', action: 'a' };
    expect((await problemOf(answer(429, view, { 'retry-after': '7' }))).retryAfterSeconds).toBe(7);
    expect((await problemOf(answer(429, view, { 'retry-after': 'soon' }))).retryAfterSeconds).toBeNull();
    expect((await problemOf(answer(429, view))).mayPass).toBe(true);
  });

  it('does not trust an answer that is not ours', async () => {
    for (const body of ['<h1>502 Bad Gateway</h1>', '', '[]', 'null', '{"message":"x"}']) {
      const problem = await problemOf(answer(502, body));
      expect(problem).toMatchObject({ status: 502, code: 'unexpected', category: 'system' });
    }
  });
});

describe('problemOfNoAnswer', () => {
  it('tells being offline from a server that does not answer', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(problemOfNoAnswer(new TypeError()).code).toBe('offline');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    expect(problemOfNoAnswer(new TypeError())).toMatchObject({
      code: 'unreachable',
      category: 'connection',
      status: 0,
    });
  });

  it('is an error like any other', () => {
    expect(problemOfNoAnswer(new TypeError())).toBeInstanceOf(Problem);
  });
});
