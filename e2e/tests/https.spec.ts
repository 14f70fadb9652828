// Behind a proxy that speaks https: cookies that a browser keeps to this host and to https.

import { Desk } from '../support/desk.ts';
import { expect, test, Visitor } from '../support/openid.ts';
import { TlsProxy } from '../support/other-site.ts';
import { OpenIdProvider, openIdSettings } from '../support/provider.ts';

test('with https, cookies belong to the host alone and nothing goes without it', async ({
  browser,
  database,
  keep,
}) => {
  const [provider, proxy] = [keep(await OpenIdProvider.listen()), keep(await TlsProxy.listen())];
  const url = `https://localhost:${proxy.port}`;
  const settings = { BASE_URL: url, GOOGLE_REDIRECT_URL: `${url}/auth/google/callback` };
  const desk = keep(await Desk.start(database, { ...openIdSettings(provider.issuer), ...settings }));
  proxy.target = Number(new URL(desk.url).port);
  desk.url = url;
  provider.serve(url);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const visitor = new Visitor(context, await context.newPage(), desk, provider);

  await visitor.signIn('ito@news.test');
  expect(visitor.page.url()).toBe(`${url}/here`);
  expect(await visitor.whoAmI()).toMatchObject({ email: 'ito@news.test' });
  const cookies = await context.cookies(url);
  const session = cookies.find(({ name }) => name === '__Host-kawaraban_session');
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/', domain: 'localhost' });
  expect(cookies.filter(({ secure, httpOnly }) => !secure || !httpOnly)).toEqual([]);
  const headers = (await visitor.page.goto(`${url}/auth/providers`))!.headers();
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);

  expect((await visitor.ask('/auth/logout', 'POST')).status).toBe(204);
  expect(await visitor.whoAmI()).toBeNull();
  await context.close();
});
