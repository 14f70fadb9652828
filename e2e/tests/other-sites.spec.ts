// What pages of other sites can do in a browser that is signed in here: nothing, unless the operator allowed it.

import { Desk } from '../support/desk.ts';
import { expect, test, Visitor } from '../support/openid.ts';
import { OtherSite } from '../support/other-site.ts';
import { OpenIdProvider, openIdSettings } from '../support/provider.ts';

/** What became of a request that a foreign page made. */
async function fromPage(visitor: Visitor, url: string, init: object): Promise<string | number> {
  return visitor.page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, { credentials: 'include', ...init });
        return response.type === 'opaque' ? 'opaque' : response.status;
      } catch (error) {
        return String(error).split(':')[0];
      }
    },
    { url, init },
  );
}

/** Sends a form from a foreign page, and says how it was answered. */
async function submitForm(visitor: Visitor, action: string, field = 'x'): Promise<number> {
  const answered = visitor.page.waitForResponse(action);
  await visitor.page.evaluate(
    ({ action, field }) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action, enctype: 'text/plain' });
      const input = document.createElement('input');
      input.name = field;
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    { action, field },
  );
  const status = (await answered).status();
  await visitor.page.waitForURL(action);
  return status;
}

for (const [kind, host] of [
  ['another site', '127.0.0.1'],
  ['another origin of the same site', 'localhost'],
]) {
  test(`${kind} can do nothing to a person who is signed in`, async ({ visitor, desk, keep }) => {
    const site = keep(await OtherSite.listen());
    const elsewhere = `http://${host}:${site.port}/`;
    await visitor.signIn(`ume-${host}@news.test`);
    await visitor.page.goto(elsewhere);

    expect(await fromPage(visitor, `${desk.url}/api/users/me`, {})).toBe('TypeError');
    expect(await fromPage(visitor, `${desk.url}/api/users/me`, { mode: 'no-cors' })).toBe('TypeError');
    expect(await fromPage(visitor, `${desk.url}/api/users/me`, { method: 'DELETE' })).toBe('TypeError');
    await fromPage(visitor, `${desk.url}/auth/logout`, { method: 'POST', mode: 'no-cors' });
    expect(await submitForm(visitor, `${desk.url}/auth/logout`)).toBe(403);
    await visitor.page.goto(elsewhere);
    const token = '{"name":"stolen","scope":"write","x":"';
    expect(await submitForm(visitor, `${desk.url}/api/users/me/tokens`, token)).toBe(403);

    await visitor.page.goto(elsewhere);
    await visitor.page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
      return new Promise((loaded) => frame.addEventListener('load', loaded));
    }, `${desk.url}/auth/providers`);
    // The frame tells its address a moment after it has loaded.
    await expect.poll(() => visitor.page.frames()[1].url()).toMatch(/^chrome-error:/);

    await visitor.goHome();
    expect(await visitor.whoAmI()).toMatchObject({ email: `ume-${host}@news.test` });
    expect((await visitor.ask('/api/users/me/tokens')).body).toEqual([]);
  });
}

test('the one origin that the operator allows can use the API', async ({ browser, database, keep }) => {
  const provider = keep(await OpenIdProvider.listen());
  const [allowed, other] = [keep(await OtherSite.listen()), keep(await OtherSite.listen())];
  const ui = `http://localhost:${allowed.port}`;
  const desk = keep(await Desk.start(database, { ...openIdSettings(provider.issuer), CORS_ALLOWED_ORIGIN: ui }));
  provider.serve(desk.url);
  const context = await browser.newContext();
  const visitor = new Visitor(context, await context.newPage(), desk, provider);

  await visitor.knock('oidc', '/items');
  await visitor.signInThere('kiku@news.test');
  await visitor.page.waitForURL(`${ui}/items`);
  expect(await fromPage(visitor, `${desk.url}/api/users/me`, {})).toBe(200);
  const json = { 'content-type': 'application/json' };
  const token = { method: 'POST', headers: json, body: JSON.stringify({ name: 'mine', scope: 'read' }) };
  expect(await fromPage(visitor, `${desk.url}/api/users/me/tokens`, token)).toBe(201);

  await visitor.page.goto(`http://localhost:${other.port}/`);
  expect(await fromPage(visitor, `${desk.url}/api/users/me`, {})).toBe('TypeError');
  expect(await fromPage(visitor, `${desk.url}/api/users/me/tokens`, token)).toBe('TypeError');
  expect(await submitForm(visitor, `${desk.url}/auth/logout`)).toBe(403);

  await visitor.page.goto(ui);
  expect(await fromPage(visitor, `${desk.url}/auth/logout`, { method: 'POST' })).toBe(204);
  expect(await fromPage(visitor, `${desk.url}/api/users/me`, {})).toBe(401);
  await context.close();
});
