// A feed that is not fetched any more offers what can be done about it, on its page.

import type { Feed } from '../support/feed.ts';
import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

/** Opens the page of a feed that the site has removed. */
async function openStopped(reader: Reader, gazette: Feed) {
  const subscription = await reader.subscribe(gazette);
  gazette.fail(410);
  await reader.refresh(subscription);
  await reader.open(`/feeds/${subscription.feed_id}`);
  const notice = reader.page.locator('main').getByRole('status').filter({ hasText: 'Updates stopped.' });
  await expect(notice).toBeVisible();
  return notice;
}

test('"Try again" resumes it', async ({ reader, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const notice = await openStopped(reader, gazette);
  gazette.recover();
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(reader.toast('Updates resumed.')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect.poll(async () => (await reader.subscriptions())[0]?.feed_status).toBe('active');
});

test('"Try again" says so when it fails again', async ({ reader, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const notice = await openStopped(reader, gazette);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(reader.toast('Updates resumed.')).toBeVisible();
  // The site still says that it is gone.
  await expect.poll(async () => (await reader.subscriptions())[0]?.feed_status).toBe('stopped');
  await expect(notice).toBeVisible();
});

test('"Change address" leads to the feed at its new address', async ({ reader, origin }) => {
  const { page } = reader;
  // The texts of the list are fetched ahead, and the feed of that list is left meanwhile.
  reader.watch.expect(/status of 404 .*\/api\/feeds\//);
  const notice = await openStopped(reader, origin.feed({ title: 'Edo Gazette' }));
  const next = origin.feed({ title: 'Harbour Notes' });
  await notice.getByRole('link', { name: 'Change address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Feed settings' });
  await dialog.getByLabel('Feed address').fill(next.url);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Notes' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(reader.rows).toHaveCount(8);
  expect((await reader.subscriptions()).map(({ feed_url }) => feed_url)).toEqual([next.url]);
});

test('"Unsubscribe" removes it, and can be undone', async ({ reader, origin }) => {
  const { page } = reader;
  const notice = await openStopped(reader, origin.feed({ title: 'Edo Gazette' }));
  await notice.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(reader.toast('Unsubscribed from Edo Gazette.')).toBeVisible();
  await expect(page).toHaveURL(/\/\?filter=all$/);
  await expect(reader.place('Edo Gazette')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(reader.place('Edo Gazette')).toBeVisible();
  expect(await reader.subscriptions()).toHaveLength(1);
});

test('its empty list does not promise items', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette', items: 0 });
  const subscription = await reader.subscribe(gazette);
  await reader.open(`/feeds/${subscription.feed_id}`);
  await expect(page.locator('main')).toContainText('No items yet');
  gazette.fail(410);
  await reader.refresh(subscription);
  await expect(page.locator('main')).toContainText('Kawaraban doesn’t update this feed any more.');
});
