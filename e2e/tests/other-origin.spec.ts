// The client at another origin than the desk: everything works from the one that is allowed, and nothing from any other.

import { buildFor, OtherClient } from '../support/other-client.ts';
import { addUser, expect, test } from '../support/story.ts';

test.describe.configure({ timeout: 120_000 });

test('a client of an allowed origin reads as ours does, any other cannot', async ({
  arrive,
  keep,
  origin,
  startDesk,
}) => {
  const client = keep(await OtherClient.listen());
  const stranger = keep(await OtherClient.listen());
  const desk = await startDesk({ CORS_ALLOWED_ORIGIN: client.url, FRONTEND_URL: client.url });
  const { folder } = keep(await buildFor(desk.url));
  client.folder = folder;
  stranger.folder = folder;

  const reader = await arrive({ desk, isSignedIn: false });
  const { page, account } = reader;
  await addUser(desk, account);
  // Whoever is not signed in is told so by the status; that is how it should be.
  reader.watch.expect(/status of 401/);

  // Signs in, and comes back to where they were.
  await page.goto(`${client.url}/?filter=unread`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/filter=unread/);

  // Reads, with the icon of the feed.
  const gazette = origin.feed({ title: 'Edo Gazette', items: 20, icon: 'png' });
  const subscription = await reader.subscribe(gazette);
  await page.goto(`${client.url}/?filter=all`);
  await expect(reader.row('no. 0002')).toBeVisible();
  const icon = reader.row('no. 0002').getByRole('presentation').first();
  await expect(icon).toHaveAttribute('src', new RegExp(`^${desk.url}/`));
  await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  // Changes arrive at the desk.
  await reader.row('no. 0003').getByRole('button', { name: 'Star' }).click();
  await expect.poll(async () => (await reader.items('starred')).length).toBe(1);
  await reader.row('no. 0002').getByRole('link', { name: 'A field guide to broken clocks' }).click();
  await expect(page.locator('.article-text')).toContainText('The timetable hung in the harbour office');
  await expect.poll(async () => (await reader.items('unread')).length).toBe(19);

  // What is new announces itself.
  gazette.publish({ title: 'The tide came early' });
  await reader.refresh(subscription);
  await page.getByRole('button', { name: 'Show 1 new item' }).click();
  await expect(reader.rows.first()).toContainText('The tide came early');

  // Anywhere else the same client, with the same cookie in the same browser, gets no answer that it may look at.
  reader.watch.expect(/CORS policy|net::ERR_FAILED|status of 403/);
  await page.goto(`${stranger.url}/?filter=all`);
  await expect(page.getByText('Can’t reach the server.')).toBeVisible();
  await expect(reader.rows).toHaveCount(0);
  const got = await page.evaluate(async (api) => {
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${api}${path}`, { credentials: 'include', ...init }).then(
        ({ status }) => `${path} ${status}`,
        () => 'nothing',
      );
    const json = { 'content-type': 'application/json' };
    return Promise.all([
      ask('/api/users/me'),
      ask('/api/items'),
      ask('/api/items/read', { method: 'POST', headers: json, body: '{}' }),
      ask('/auth/logout', { method: 'POST' }),
      new Promise((resolve) => {
        const source = new EventSource(`${api}/api/events`, { withCredentials: true });
        source.addEventListener('hello', () => resolve('hello'));
        source.addEventListener('error', () => resolve('nothing'));
      }),
    ]);
  }, desk.url);
  expect(got).toEqual(['nothing', 'nothing', 'nothing', 'nothing', 'nothing']);
  // And nothing was done there in its name.
  expect((await reader.items('unread')).length).toBe(20);
});
