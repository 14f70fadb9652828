// What is written: deletes that can be undone, marks in batches, and one event connection for all tabs.

import type { Page } from '@playwright/test';
import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

/** A delete that the page before has sent while it closed. */
const SENT_TWICE = /status of 404 .*\/api\/(subscriptions|folders)\//;

async function unsubscribe({ page, desk }: Reader, feedId: string): Promise<void> {
  await page.goto(`${desk.url}/?edit=${feedId}`);
  await page.getByRole('dialog', { name: 'Feed settings' }).getByRole('button', { name: 'Unsubscribe' }).click();
}

async function deleteFolder(reader: Reader, name: string): Promise<void> {
  await reader.place(name).hover();
  await reader
    .place(name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click();
  await reader.page.getByRole('menu').locator('[role^=menuitem]', { hasText: 'Delete folder' }).click();
  await expect(reader.place(name)).toHaveCount(0);
}

async function signOut({ page, sidebar }: Reader): Promise<void> {
  await sidebar.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
}

test('an unsubscribe is sent before sign-out', async ({ reader, arrive, origin }) => {
  reader.watch.expect(/status of 401/);
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const { feed_id } = await reader.subscribe(gazette);
  const elsewhere = await arrive({ account: reader.account });
  await unsubscribe(reader, feed_id);
  await expect(reader.toast('Unsubscribed from Edo Gazette.')).toBeVisible();
  await signOut(reader);
  expect(await elsewhere.subscriptions()).toEqual([]);
});

test('a deleted folder stays away while it can be undone', async ({ reader, origin }) => {
  await reader.addFolder('Papers');
  await reader.open('/?filter=all');
  await deleteFolder(reader, 'Papers');
  // The client fetches folders and subscriptions again.
  const answer = reader.page.waitForResponse((response) => response.url().endsWith('/api/folders'));
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await answer;
  await expect(reader.place('Edo Gazette')).toBeVisible();
  await expect(reader.place('Papers')).toHaveCount(0);
  expect(await reader.folders()).toHaveLength(1);
  await reader.toast('Papers').getByRole('button', { name: 'Undo' }).click();
  await expect(reader.place('Papers')).toBeVisible();
  await reader.page.reload();
  await expect(reader.place('Papers')).toBeVisible();
});

test('a folder is deleted though the tab is closed', async ({ reader }) => {
  reader.watch.expect(SENT_TWICE);
  await reader.addFolder('Papers');
  await reader.open('/?filter=all');
  await deleteFolder(reader, 'Papers');
  await reader.page.close({ runBeforeUnload: true });
  await expect.poll(async () => (await reader.folders()).length).toBe(0);
});

test('the next user of a browser sees no new items of the one before', async ({ reader, arrive, origin }) => {
  const { page } = reader;
  reader.watch.expect(/status of 401/);
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const subscription = await reader.subscribe(gazette);
  const jun = await arrive({ name: 'Jun' });
  await jun.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  gazette.publish({ title: 'The tide came early' });
  await reader.refresh(subscription);
  await expect(page.getByRole('button', { name: 'Show 1 new item' })).toBeVisible();
  await signOut(reader);
  await page.getByLabel('E-mail address').fill(jun.account.email);
  await page.getByLabel('Password', { exact: true }).fill(jun.account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(reader.rows).toHaveCount(9);
  await expect(page.getByRole('button', { name: /^Show \d+ new item/ })).toHaveCount(0);
});

test('all tabs share one event connection, and another tab takes it over', async ({ reader, origin }) => {
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  const second = await reader.context.newPage();
  const streams = streamsOf(second);
  await second.goto(`${reader.desk.url}/?filter=all`);
  await expect(second.locator('[data-item]')).toHaveCount(8);
  // An event that the first tab has received.
  const { id } = (await reader.items())[0]!;
  await reader.demand(`/api/items/${id}/state`, 'PUT', { is_read: true });
  await expect(second).toHaveTitle('(7) All items · Kawaraban');
  expect(streams).toEqual([]);

  await reader.page.close();
  await expect.poll(() => streams.length).toBe(1);
  await reader.demand(`/api/items/${id}/state`, 'PUT', { is_read: false });
  await expect(second).toHaveTitle('(8) All items · Kawaraban');
});

function streamsOf(page: Page): string[] {
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url());
  });
  return streams;
}

test('128 items are read with the default limits', async ({ startDesk, arrive, origin }) => {
  test.setTimeout(120_000);
  const desk = await startDesk({ RATE_LIMIT_GENERAL: '', RATE_LIMIT_FEED_REG: '', RATE_LIMIT_SIGN_IN: '' });
  const reader = await arrive({ desk });
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 130 }));
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  const start = Date.now();
  for (let count = 1; count <= 128; count += 1) {
    await page.keyboard.press('j');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 }).first()).toContainText(
      `no. ${String(count).padStart(4, '0')}`,
    );
  }
  // An answer of 429 would be an error in the console, which fails the story.
  await expect.poll(async () => (await reader.items('unread')).length).toBe(2);
  // One request a second at most, however many items were read.
  const seconds = Math.ceil((Date.now() - start) / 1_000);
  expect(requests.filter((request) => request === 'POST /api/items/state').length).toBeLessThanOrEqual(seconds + 1);
});
