// The way in with a provider, and everything that must not be one.

import { expect, test } from '../support/openid.ts';

test('a person signs in, is known, and signs out', { tag: '@database' }, async ({ visitor, desk }) => {
  await visitor.goHome();
  expect(await visitor.whoAmI()).toBeNull();

  await visitor.signIn('hana@news.test', 'oidc', '/items?unread=true');
  expect(visitor.page.url()).toBe(`${desk.url}/items?unread=true`);
  expect(await visitor.whoAmI()).toMatchObject({
    email: 'hana@news.test',
    name: 'hana',
    role: 'member',
    has_password: false,
  });

  await expect.poll(() => desk.log).toContain('"event":"sign_in"');

  const cookie = await visitor.sessionCookie();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
  expect(await visitor.page.evaluate(() => document.cookie)).not.toContain('kawaraban');
  const names = (await visitor.context.cookies(desk.url)).map(({ name }) => name);
  expect(names).not.toContain('kawaraban_attempt');

  expect((await visitor.ask('/auth/logout', 'POST')).status).toBe(204);
  expect(await visitor.whoAmI()).toBeNull();
  expect(await visitor.sessionCookie()).toBeUndefined();
  // The session has ended on the server, not only in this browser.
  await visitor.context.addCookies([cookie!]);
  expect(await visitor.whoAmI()).toBeNull();
});

test('each sign-in is a session of its own, and the one before it ends', { tag: '@database' }, async ({ visitor }) => {
  await visitor.signIn('jun@news.test');
  const first = await visitor.sessionCookie();
  await visitor.knock();
  await visitor.page.waitForURL(`${visitor.desk.url}/**`);
  const second = await visitor.sessionCookie();
  expect(second!.value).not.toBe(first!.value);
  expect((await visitor.ask('/api/users/me/sessions')).body).toHaveLength(1);
  await visitor.context.addCookies([first!]);
  expect(await visitor.whoAmI()).toBeNull();
});

test('nobody is led to another site after signing in', async ({ visitor, desk }) => {
  for (const target of [
    '//evil.test/',
    'https://evil.test/',
    '/\\evil.test',
    'javascript:alert(1)',
    '/%09/evil.test',
  ]) {
    await visitor.signOutThere();
    await visitor.signIn('kei@news.test', 'oidc', target);
    expect(new URL(visitor.page.url()).origin, target).toBe(desk.url);
    // Without a page, which would go to the sign-in page and cross the next navigation.
    await visitor.page.goto('about:blank');
    const left = await visitor.context.request.post(`${desk.url}/auth/logout`, { headers: { origin: desk.url } });
    expect(left.ok(), await left.text()).toBe(true);
  }
});

test('unknown people are shut out unless they were allowed', async ({ visitor, anotherVisitor, desk }) => {
  await visitor.signIn('stranger@elsewhere.test');
  const url = new URL(visitor.page.url());
  expect([url.origin, url.pathname]).toEqual([desk.url, '/sign-in']);
  expect(url.searchParams.get('error')).toBe('sign_up_not_allowed');
  expect(await visitor.whoAmI()).toBeNull();

  await anotherVisitor.signIn('guest@elsewhere.test');
  expect(await anotherVisitor.whoAmI()).toMatchObject({ email: 'guest@elsewhere.test' });
});

test('an address that the provider did not verify opens nothing', async ({ visitor, anotherVisitor }) => {
  await visitor.signIn('mio@news.test');
  await anotherVisitor.signIn('unverified:mio@news.test');
  expect(new URL(anotherVisitor.page.url()).searchParams.get('error')).toBe('email_not_verified');
  expect(await anotherVisitor.whoAmI()).toBeNull();
});

test('the owner is known by a verified address, and by nothing less', async ({ visitor, anotherVisitor }) => {
  for (const nobody of ['unverified:owner@news.test', 'nobody@elsewhere.test']) {
    await anotherVisitor.signIn(nobody);
    expect(await anotherVisitor.whoAmI()).toBeNull();
    await anotherVisitor.signOutThere();
  }

  await visitor.signIn('owner@news.test');
  expect(await visitor.whoAmI()).toMatchObject({ email: 'owner@news.test', role: 'owner' });
  const { status, body } = await visitor.ask('/api/admin/users');
  expect(status).toBe(200);
  const emails = JSON.stringify(body);
  expect(emails).toContain('owner@news.test');
  expect(emails).not.toContain('nobody@elsewhere.test');

  await anotherVisitor.signIn('ren@news.test');
  expect((await anotherVisitor.ask('/api/admin/users')).status).toBe(403);
});

test('who says no at the provider is told so, and not signed in', async ({ visitor, desk }) => {
  await visitor.knock();
  await visitor.page.getByRole('link', { name: 'Cancel' }).click();
  await visitor.page.waitForURL(`${desk.url}/sign-in?error=*`);
  expect(new URL(visitor.page.url()).searchParams.get('error')).toBe('sign_in_refused');
  expect(await visitor.whoAmI()).toBeNull();
});

test('the way back can be gone once, and by the browser that set out', { tag: '@database' }, async ({
  visitor,
  anotherVisitor,
  desk,
}) => {
  await visitor.knock();
  const callback = await visitor.signInThereAndStay('sora@news.test');

  // Whoever gets hold of the address, or is lured to it, is not signed in by it and does not spend it.
  await anotherVisitor.page.goto(callback);
  expect(new URL(anotherVisitor.page.url()).searchParams.get('error')).toBe('sign_in_mismatch');
  expect(await anotherVisitor.whoAmI()).toBeNull();
  // Nor by an attempt of their own.
  await anotherVisitor.knock();
  await anotherVisitor.page.goto(callback);
  expect(new URL(anotherVisitor.page.url()).searchParams.get('error')).toBe('sign_in_mismatch');
  expect(await anotherVisitor.whoAmI()).toBeNull();

  await visitor.page.goto(callback);
  expect(visitor.page.url()).toBe(`${desk.url}/here`);
  expect(await visitor.whoAmI()).toMatchObject({ email: 'sora@news.test' });

  await visitor.ask('/auth/logout', 'POST');
  await visitor.page.goto(callback);
  expect(new URL(visitor.page.url()).searchParams.get('error')).toBe('sign_in_mismatch');
  expect(await visitor.whoAmI()).toBeNull();
});

test('an answer does not serve for another provider', async ({ visitor }) => {
  await visitor.knock('oidc');
  const callback = await visitor.signInThereAndStay('yuki@news.test');
  await visitor.page.goto(callback.replace('/auth/oidc/', '/auth/google/'));
  expect(new URL(visitor.page.url()).searchParams.get('error')).toBe('sign_in_mismatch');
  expect(await visitor.whoAmI()).toBeNull();
});
