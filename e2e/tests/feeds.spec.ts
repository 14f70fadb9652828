// What is in the sidebar: feeds with their settings and their troubles, and folders.

import type { Locator } from '@playwright/test';
import type { Reader, Subscription } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

/** A text of a feed that was deleted meanwhile, or a delete that the page before has sent while it closed. */
const LATE = /status of 404 .*\/api\/(items|subscriptions|folders|feeds)\//;

/** Opens the menu of a feed or a folder, and chooses. */
async function choose(reader: Reader, name: string, item: string): Promise<void> {
  await reader.place(name).hover();
  await reader
    .place(name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click();
  await reader.page.getByRole('menu').locator('[role^=menuitem]', { hasText: item }).click();
}

const names = (place: Locator) => place.getByRole('link');

test('the settings of a feed: title, folder, interval, fetching now', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette' });
  await reader.addFolder('Papers');
  await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await choose(reader, 'Edo Gazette', 'Feed settings');
  const dialog = page.getByRole('dialog', { name: 'Feed settings' });
  await expect(dialog.getByLabel('Feed address')).toHaveValue(gazette.url);
  await expect(dialog.getByText('Last checked')).toBeVisible();
  const fetches = origin.countOf(gazette.url);
  await dialog.getByRole('button', { name: 'Refresh' }).click();
  await expect(reader.toast('Refreshing…')).toBeVisible();
  await expect.poll(() => origin.countOf(gazette.url)).toBe(fetches + 1);

  await dialog.getByLabel('Title').fill('My gazette');
  await dialog.getByLabel('Folder').selectOption('Papers');
  await dialog.getByLabel('Check every').selectOption('3 hours');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(reader.place('My gazette')).toBeVisible();
  await expect(reader.place('Papers')).toContainText('8');
  const [kept] = await reader.subscriptions();
  expect(kept).toMatchObject({ own_title: 'My gazette', fetch_interval_minutes: 180 });

  // Without a title of one's own it is called as it calls itself.
  await choose(reader, 'My gazette', 'Feed settings');
  await expect(dialog.getByLabel('Title')).toHaveAttribute('placeholder', 'Edo Gazette');
  await dialog.getByLabel('Title').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(reader.place('Edo Gazette')).toBeVisible();

  // It was fetched a moment ago: that is said, with how long to wait.
  reader.watch.expect(/status of 429/);
  await choose(reader, 'Edo Gazette', 'Feed settings');
  await dialog.getByRole('button', { name: 'Refresh' }).click();
  await expect(dialog.getByRole('alert')).toContainText(/minute|second|moment/);
});

test('a feed moves to another address', { tag: '@database' }, async ({ reader, origin }) => {
  const { page } = reader;
  reader.watch.expect(/status of 502/, LATE);
  const [before, after] = [origin.feed({ title: 'Old house' }), origin.feed({ title: 'New house', items: 3 })];
  const { feed_id } = await reader.subscribe(before);
  await reader.open(`/feeds/${feed_id}?edit=${feed_id}`);
  const dialog = page.getByRole('dialog', { name: 'Feed settings' });
  await dialog.getByLabel('Feed address').fill(`${origin.url}/nowhere`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The site answered 404: there is nothing at this address.');
  await dialog.getByLabel('Feed address').fill(after.url);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New house' })).toBeVisible();
  await expect(reader.rows).toHaveCount(3);
  await expect(reader.place('Old house')).toHaveCount(0);
  expect((await reader.subscriptions()).map(({ feed_url }) => feed_url)).toEqual([after.url]);
});

test('unsubscribing can be taken back; when its time is over it is done', async ({ reader, origin }) => {
  const { page } = reader;
  reader.watch.expect(LATE);
  const [gazette, notes] = [origin.feed({ title: 'Edo Gazette' }), origin.feed({ title: 'Harbour Notes' })];
  const { feed_id } = await reader.subscribe(gazette);
  await reader.subscribe(notes);
  const leave = async () => {
    await reader.open(`/feeds/${feed_id}?edit=${feed_id}`);
    await page.getByRole('dialog', { name: 'Feed settings' }).getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(reader.place('Edo Gazette')).toHaveCount(0);
    await expect(page).toHaveURL(`${reader.desk.url}/?filter=all`);
  };
  await leave();
  const said = reader.toast('Unsubscribed from Edo Gazette.');
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(reader.place('Edo Gazette')).toContainText('8');
  expect(await reader.subscriptions()).toHaveLength(2);

  // Closing what offers the way back is as if its time were over.
  await leave();
  await said.getByRole('button', { name: 'Close' }).click();
  await expect
    .poll(async () => (await reader.subscriptions()).map(({ feed_title }) => feed_title))
    .toEqual(['Harbour Notes']);
  await expect(reader.rows).toHaveCount(8);

  // So is leaving the page.
  await reader.open(`/?edit=${(await reader.subscriptions())[0]!.feed_id}`);
  await page.getByRole('dialog', { name: 'Feed settings' }).getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(reader.toast('Unsubscribed from Harbour Notes.')).toBeVisible();
  await page.goto('about:blank');
  await expect.poll(() => reader.subscriptions()).toEqual([]);
});

test('a feed that is gone is marked, says why, and is taken up again', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const subscription = await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(reader.place('Edo Gazette')).toContainText('8');
  gazette.fail(410);
  await reader.refresh(subscription);
  const why =
    'Updates stopped. The site answered 410: this feed has been removed. Find the new address of the feed, or unsubscribe.';
  const mark = reader.place('Edo Gazette').getByRole('button', { name: why });
  await expect(mark).toBeVisible();
  await mark.hover();
  await expect(page.getByRole('tooltip')).toHaveText(why);

  // The same where its items are, and in its settings; from there it is resumed.
  await reader.place('Edo Gazette').getByRole('link').click();
  await expect(page.locator('main').getByRole('status').filter({ hasText: why })).toBeVisible();
  gazette.recover();
  gazette.publish({ title: 'Back again' });
  await mark.click();
  await expect(reader.toast('Updates resumed.')).toBeVisible();
  await expect(mark).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show 1 new item' })).toBeVisible();
});

test('a feed that fails for now is marked, and tried again by itself', async ({ reader, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const subscription = await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(reader.place('Edo Gazette')).toContainText('8');
  gazette.fail(503);
  await reader.refresh(subscription);
  const mark = reader
    .place('Edo Gazette')
    .getByRole('img', { name: /^Update failed, will retry\. .* automatically\.$/ });
  await expect(mark).toBeVisible();
});

test('folders are made, renamed, put in order, folded, and deleted', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  for (const name of ['Papers', 'Sea', 'Stars']) {
    await reader.sidebar.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Folder name').fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(reader.place(name)).toBeVisible();
  }
  const order = async () => (await reader.folders()).sort((a, b) => a.position - b.position).map(({ name }) => name);

  await choose(reader, 'Sea', 'Rename');
  await page.getByLabel('Folder name').fill('Water');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(reader.place('Water')).toBeVisible();

  // By keyboard, by its menu, by dragging.
  await reader.place('Stars').getByRole('link').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toEqual(['Papers', 'Stars', 'Water']);
  await expect(reader.place('Stars').getByRole('link')).toBeFocused();
  await choose(reader, 'Papers', 'Move down');
  await expect.poll(order).toEqual(['Stars', 'Papers', 'Water']);
  await reader.place('Water').dragTo(reader.place('Stars'));
  await expect.poll(order).toEqual(['Water', 'Stars', 'Papers']);
  await expect(
    names(reader.sidebar.locator('li').filter({ has: page.getByRole('button', { name: /^Hide feeds/ }) })),
  ).toHaveText(['Water', 'Stars', 'Papers']);

  // A feed goes into a folder by dragging it there, and out again; by its menu into another.
  await reader.place('Edo Gazette').dragTo(reader.place('Papers'));
  await expect(reader.toast('Moved to “Papers”')).toBeVisible();
  await expect(reader.place('Papers')).toContainText('8');
  await reader.toast('Moved to “Papers”').getByRole('button', { name: 'Undo' }).click();
  await expect(reader.place('Papers')).not.toContainText('8');
  await choose(reader, 'Edo Gazette', 'Stars');
  await expect(reader.place('Stars')).toContainText('8');
  await reader.place('Stars').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Stars' })).toBeVisible();
  await expect(reader.rows).toHaveCount(8);

  // Folded, by its arrow or with the left key, it stays folded.
  await reader.place('Stars').getByRole('button', { name: 'Hide feeds in Stars' }).click();
  await expect(reader.place('Edo Gazette')).toHaveCount(0);
  await page.reload();
  await expect(reader.place('Stars')).toContainText('8');
  await expect(reader.place('Edo Gazette')).toHaveCount(0);
  await reader.place('Stars').getByRole('link').press('ArrowRight');
  await expect(reader.place('Edo Gazette')).toBeVisible();

  // Deleted, its feeds stay; with a way back.
  await choose(reader, 'Stars', 'Delete folder');
  const said = reader.toast('Deleted “Stars”. Its feeds are kept.');
  await expect(reader.place('Edo Gazette')).toBeVisible();
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(reader.place('Stars')).toContainText('8');
  await choose(reader, 'Stars', 'Delete folder');
  await said.getByRole('button', { name: 'Close' }).click();
  await expect.poll(order).toEqual(['Water', 'Papers']);
  expect((await reader.subscriptions()).map(({ folder_id }: Subscription) => folder_id)).toEqual([null]);
  await expect(reader.place('Edo Gazette')).toBeVisible();
});

test('the sidebar can be put away, and made wider', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  const pane = reader.sidebar;
  const edge = page.getByRole('separator', { name: 'Sidebar width' });
  const width = async () => (await pane.boundingBox())!.width;
  const before = await width();
  await edge.hover();
  await page.mouse.down();
  await page.mouse.move(before + 80, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before + 60);
  const wide = await width();
  await edge.press('ArrowLeft');
  await expect.poll(width).toBeLessThan(wide);
  const kept = await width();
  await page.getByRole('button', { name: 'Hide sidebar' }).click();
  await expect(pane).toHaveCount(0);
  await page.reload();
  await expect(reader.rows.first()).toBeVisible();
  await expect(pane).toHaveCount(0);
  await page.getByRole('button', { name: 'Show sidebar' }).click();
  expect(await width()).toBe(kept);
});
