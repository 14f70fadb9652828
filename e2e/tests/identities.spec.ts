// Several ways in for one person.

import { expect, test, type Visitor } from '../support/openid.ts';

async function identities(visitor: Visitor): Promise<any[]> {
  const { status, body } = await visitor.ask('/api/users/me/identities');
  expect(status).toBe(200);
  return body;
}

test('the page that offers ways in names both providers', async ({ visitor }) => {
  await visitor.goHome();
  const { body } = await visitor.ask('/auth/providers');
  expect(body).toMatchObject({ local: false, registration: false, setup_required: false });
  expect(body.providers.map(({ id, name }: any) => [id, name])).toEqual([
    ['google', 'Google'],
    ['oidc', 'Test provider'],
  ]);
});

test("Google's settings lead to the same account when the address is verified", async ({ visitor, anotherVisitor }) => {
  await visitor.signIn('aoi@news.test', 'google');
  const me = await visitor.whoAmI();
  expect(me).toMatchObject({ email: 'aoi@news.test' });
  await anotherVisitor.signIn('aoi@news.test', 'oidc');
  expect((await anotherVisitor.whoAmI()).id).toBe(me.id);
  expect((await identities(visitor)).map(({ provider }) => provider).sort()).toEqual(['google', 'oidc']);
});

test('a second identity is linked, lets its person in, and is unlinked', { tag: '@database' }, async ({
  visitor,
  anotherVisitor,
  desk,
}) => {
  await visitor.signIn('nao@news.test');
  const me = await visitor.whoAmI();
  const started = await visitor.ask('/api/users/me/identities/google', 'POST', { return_to: '/settings' });
  expect(started.status).toBe(200);
  await visitor.signOutThere();
  await visitor.page.goto(started.body.url);
  await visitor.signInThere('nao@work.test');
  await visitor.page.waitForURL(`${desk.url}/settings/appearance`);
  expect(await visitor.whoAmI()).toMatchObject({ id: me.id, email: 'nao@news.test' });
  const both = await identities(visitor);
  expect(both.map(({ provider, email }) => `${provider} ${email}`).sort()).toEqual([
    'google nao@work.test',
    'oidc nao@news.test',
  ]);

  // An address that could not have made an account lets its person in, because the account is theirs already.
  await anotherVisitor.signIn('nao@work.test', 'google');
  expect(await anotherVisitor.whoAmI()).toMatchObject({ id: me.id });

  const [google, oidc] = ['google', 'oidc'].map((name) => both.find(({ provider }) => provider === name).id);
  expect((await visitor.ask(`/api/users/me/identities/${google}`, 'DELETE')).status).toBe(204);
  expect((await visitor.ask(`/api/users/me/identities/${oidc}`, 'DELETE')).status).toBe(409);
  expect(await identities(visitor)).toHaveLength(1);
  await anotherVisitor.ask('/auth/logout', 'POST');
  await anotherVisitor.signOutThere();
  await anotherVisitor.signIn('nao@work.test', 'google');
  expect(await anotherVisitor.whoAmI()).toBeNull();
});

test("one person's identity cannot be linked to another", async ({ visitor, anotherVisitor, desk }) => {
  await visitor.signIn('rin@news.test');
  await anotherVisitor.signIn('tama@news.test');
  const started = await anotherVisitor.ask('/api/users/me/identities/oidc', 'POST');
  await anotherVisitor.signOutThere();
  await anotherVisitor.page.goto(started.body.url);
  await anotherVisitor.signInThere('rin@news.test');
  await anotherVisitor.page.waitForURL(`${desk.url}/settings/sign-in?error=*`);
  expect(new URL(anotherVisitor.page.url()).searchParams.get('error')).toBe('identity_taken');
  expect(await identities(anotherVisitor)).toHaveLength(1);
});

test('a link is finished only by the session that began it', async ({ visitor, anotherVisitor, desk }) => {
  await visitor.signIn('fumi@news.test');
  const started = await visitor.ask('/api/users/me/identities/google', 'POST');
  await visitor.signOutThere();
  await visitor.page.goto(started.body.url);
  const callback = await visitor.signInThereAndStay('fumi@work.test');

  // Another person's browser, signed in or not, links nothing with it.
  await anotherVisitor.signIn('goro@news.test');
  await anotherVisitor.page.goto(callback);
  expect(new URL(anotherVisitor.page.url()).searchParams.get('error')).toBe('sign_in_mismatch');
  expect(await identities(anotherVisitor)).toHaveLength(1);

  // Nor does the same browser after signing out.
  await visitor.goHome();
  await visitor.ask('/auth/logout', 'POST');
  await visitor.page.goto(callback);
  await visitor.page.waitForURL(`${desk.url}/**error=*`);
  await visitor.signOutThere();
  await visitor.signIn('fumi@news.test');
  expect(await identities(visitor)).toHaveLength(1);
});
