// When something is wrong: not signed in any more, nothing there, too fast, no server.

import { expect, test } from '../support/story.ts';

test('a session that ends in the middle leads to the door, and back to where one was', async ({ reader, origin }) => {
  const { page } = reader;
  reader.watch.expect(/status of 401/);
  const { feed_id } = await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open(`/feeds/${feed_id}?filter=unread`);
  await expect(reader.rows).toHaveCount(8);
  await reader.context.clearCookies();
  await reader.row('On reading slowly').getByRole('link', { name: 'On reading slowly' }).click();
  await expect(page).toHaveURL(/\/sign-in\?return_to=/);
  await page.getByLabel('E-mail address').fill(reader.account.email);
  await page.getByLabel('Password', { exact: true }).fill(reader.account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(new RegExp(`/feeds/${feed_id}\\?filter=unread`));
  await expect(page.getByRole('heading', { level: 1, name: 'Edo Gazette' })).toBeVisible();
});

test('what is not there leads back to the list', async ({ reader, origin }) => {
  const { page } = reader;
  reader.watch.expect(/status of 404/);
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  const unknown = '01900000-0000-7000-8000-000000000000';
  for (const [path, words, action] of [
    ['/no/such/page', 'Page not found', 'Go to all items'],
    [`/feeds/${unknown}`, 'You’re not subscribed to this feed', 'Go to all items'],
    [`/folders/${unknown}`, 'Folder not found', 'Go to all items'],
  ] as const) {
    await reader.open(path);
    await expect(page.locator('main').getByText(words)).toBeVisible();
    await page.locator('main').getByRole('link', { name: action }).click();
    await expect(reader.rows).toHaveCount(8);
  }
  // An article that is no longer there, in a list that is.
  await reader.open('/?filter=all&item=999999999999');
  await expect(page.locator('main').getByText('This item no longer exists.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to list' }).click();
  await expect(reader.rows).toHaveCount(8);
  await expect(page).toHaveURL(`${reader.desk.url}/?filter=all`);
});

test('whoever asks too often is told how long to wait', async ({ startDesk, arrive, origin }) => {
  const desk = await startDesk({ RATE_LIMIT_FEED_REG: '1', RATE_LIMIT_SIGN_IN: '4' });
  const reader = await arrive({ desk });
  const { page } = reader;
  reader.watch.expect(/status of 4(01|29)/);
  const feeds = ['Edo Gazette', 'Harbour Notes'].map((title) => origin.feed({ title }));
  await reader.subscribe(feeds[0]!);
  await reader.open(`/?filter=all&add=${encodeURIComponent(feeds[1]!.url)}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Try again in \d+ seconds?$/ })).toBeDisabled();

  const stranger = await arrive({ desk, isSignedIn: false });
  stranger.watch.expect(/status of 4(01|29)/);
  await stranger.open('/sign-in');
  await stranger.page.getByLabel('E-mail address').fill('nobody@news.test');
  await stranger.page.getByLabel('Password', { exact: true }).fill('not this one');
  const enter = stranger.page.locator('form').getByRole('button', { name: /^(Sign in|Try again)/ });
  await expect(async () => {
    await enter.click({ timeout: 1_000 });
    await expect(enter).toHaveText(/^Try again in \d+ seconds?$/, { timeout: 1_000 });
  }).toPass();
  await expect(enter).toBeDisabled();
});

test('a server that is down is told about, and what was done is not lost', async ({ startDesk, arrive, origin }) => {
  const desk = await startDesk();
  const reader = await arrive({ desk });
  const { page } = reader;
  reader.watch.expect(
    /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of 503/,
  );
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const subscription = await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  // From then on the search page opens without a server; tests/parts.spec.ts has what happens before.
  await reader.readyOffline();
  await desk.halt();
  await reader.rows.first().getByRole('button', { name: 'Mark as read' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Can’t reach the server.' })).toContainText(
    '1 change waiting',
  );
  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('clocks');
  await expect(page.getByRole('alert')).toContainText('Can’t reach the server.');
  await desk.wake();

  // What was asked for comes, what was done is sent, and the stream of events is back, all by themselves.
  await expect(page.locator('main').getByText('1 result')).toBeVisible();
  await expect.poll(async () => (await reader.items('unread')).length, { timeout: 40_000 }).toBe(7);
  await reader.sidebar.getByRole('link', { name: 'All items' }).click();
  await expect(reader.rows).toHaveCount(8);
  gazette.publish({ title: 'The tide came early' });
  await reader.refresh(subscription);
  await expect(page.getByRole('button', { name: 'Show 1 new item' })).toBeVisible({ timeout: 40_000 });
});

test('one slow endpoint does not make the server unreachable', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { serviceWorkers: 'block' } });
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  let answer = () => {};
  const isFree = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/items\?.*filter=unread/, async (route) => {
    await isFree;
    await route.continue();
  });
  // After four seconds the client asks whether the server is there at all.
  const probe = page.waitForResponse(/\/healthz$/);
  await reader.sidebar.getByRole('link', { name: 'Unread' }).click();
  expect((await probe).status()).toBe(200);
  // It shows what it has stored, and everything else goes on.
  await expect(reader.rows).toHaveCount(8);
  await expect(page.getByText('Can’t reach the server.')).toHaveCount(0);
  await reader.rows.first().getByRole('button', { name: 'Mark as read' }).click();
  await expect.poll(async () => (await reader.items('unread')).length).toBe(7);
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('clocks');
  await expect(page.locator('main').getByText('1 result')).toBeVisible();
  await expect(page.getByText('Can’t reach the server.')).toHaveCount(0);
  answer();
  await page.unrouteAll({ behavior: 'wait' });
});
