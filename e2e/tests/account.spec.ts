// One's own account: browsers that are signed in, tokens, the password, the data, and leaving.

import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/story.ts';

test('browsers that are signed in are listed, and can be signed out from here', { tag: '@database' }, async ({
  reader,
  arrive,
}) => {
  const { page } = reader;
  const kiosk = await arrive({ account: reader.account });
  const tablet = await arrive({ account: reader.account });
  for (const other of [kiosk, tablet]) {
    other.watch.expect(/status of 401/);
    await other.open('/settings/appearance');
    await expect(other.page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  }
  await reader.open('/settings/sign-in');
  const sessions = page.getByRole('region', { name: 'Active sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(3);
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(sessions.first()).toContainText('127.0.0.1');
  await sessions.filter({ hasNotText: 'This browser' }).first().getByRole('button', { name: 'Sign out' }).click();
  await expect(sessions).toHaveCount(2);
  await expect
    .poll(async () =>
      (await Promise.all([kiosk, tablet].map((one) => one.ask('/api/users/me')))).map(({ status }) => status).sort(),
    )
    .toEqual([200, 401]);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(sessions).toHaveCount(1);
  expect((await reader.ask('/api/users/me')).status).toBe(200);

  // Whoever was signed out is led to the door at the next step, and back afterwards.
  await kiosk.page.getByRole('link', { name: 'API tokens' }).click();
  await expect(kiosk.page).toHaveURL(/\/sign-in\?return_to=/);
  await kiosk.page.getByLabel('E-mail address').fill(kiosk.account.email);
  await kiosk.page.getByLabel('Password', { exact: true }).fill(kiosk.account.password);
  await kiosk.page.getByRole('button', { name: 'Sign in' }).click();
  await expect(kiosk.page).toHaveURL(`${kiosk.desk.url}/settings/tokens`);
});

test('a token is shown once, works, and is dead when it is revoked', { tag: '@database' }, async ({
  reader,
  playwright,
}) => {
  const { page } = reader;
  await reader.open('/settings/tokens');
  await page.getByLabel('What is it for?').fill('Backup script');
  await page.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('status').filter({ hasText: 'Copy it now' });
  const token = (await shown.locator('code').textContent())!;
  expect(token.length).toBeGreaterThan(30);

  const script = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  const status = async (method: 'get' | 'post') =>
    (
      await script[method](`${reader.desk.url}/api/folders`, method === 'post' ? { data: { name: 'By script' } } : {})
    ).status();
  expect(await status('get')).toBe(200);
  // Read only.
  expect(await status('post')).toBe(403);

  await page.reload();
  await expect(page.getByText('Last used')).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(reader.toast('Revoked “Backup script”')).toBeVisible();
  await expect(page.getByText('No tokens yet')).toBeVisible();
  expect(await status('get')).toBe(401);
  await script.dispose();
});

test('the password is changed: the old one is good for nothing, other browsers are out', { tag: '@database' }, async ({
  reader,
  arrive,
}) => {
  const { page } = reader;
  reader.watch.expect(/status of 40[013]/);
  const other = await arrive({ account: reader.account });
  await reader.open('/settings/sign-in');
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not this one', 'ink and paper 9');
  await expect(page.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await change(reader.account.password, 'password');
  await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true');
  await change(reader.account.password, 'ink and paper 9');
  await expect(reader.toast('Password changed.')).toBeVisible();
  expect((await other.ask('/api/users/me')).status).toBe(401);
  expect((await reader.ask('/api/users/me')).status).toBe(200);
  const { email } = reader.account;
  const enter = (password: string) => other.ask('/auth/local/login', 'POST', { email, password });
  expect((await enter(reader.account.password)).status).toBe(401);
  expect((await enter('ink and paper 9')).status).toBe(200);
});

test('everything can be taken along, and the account deleted by typing its address', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  reader.watch.expect(/status of 401/);
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/settings/account');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ]);
  const data = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(JSON.stringify(data)).toContain('Edo Gazette');
  expect(JSON.stringify(data)).toContain(reader.account.email);

  await page.getByLabel('Name').fill('Hanako');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(reader.toast('Saved')).toBeVisible();
  expect((await reader.ask('/api/users/me')).body.name).toBe('Hanako');

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  const final = dialog.getByRole('button', { name: 'Delete permanently' });
  await expect(final).toBeDisabled();
  await dialog.getByRole('textbox').fill('somebody@else.test');
  await expect(final).toBeDisabled();
  await dialog.getByRole('textbox').fill(reader.account.email);
  await final.click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(reader.toast('Your account has been deleted.')).toBeVisible();
  expect((await reader.ask('/auth/local/login', 'POST', reader.account)).status).toBeGreaterThanOrEqual(400);
});
