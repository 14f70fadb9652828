// On a phone: one pane at a time, under the thumb, by touch.

import type { Locator, Page } from '@playwright/test';
import { expect, PHONE, test } from '../support/story.ts';

test.use(PHONE);

/** Draws a finger across something, as a screen would report it. */
async function swipe(page: Page, row: Locator, way: number): Promise<void> {
  const box = (await row.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const screen = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', x + way * part);
  await touch('touchEnd');
  await screen.detach();
}

test('one pane at a time: the list, an article, the way back; feeds in a sheet', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.addFolder('Papers');
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 30 }));
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  await expect(reader.sidebar).toHaveCount(0);
  const bar = page.getByRole('navigation', { name: 'Places' });
  await expect(bar.getByRole('link')).toHaveText(['All items', 'Unread', 'Starred', 'Search']);
  // Nothing is wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await page.mouse.move(200, 400);
  await page.locator('main section').evaluate((list) => list.scrollBy(0, 500));
  const row = reader.row('no. 0008');
  await expect(row).toBeInViewport();
  const before = await row.boundingBox();
  await row.getByRole('link', { name: 'no. 0008' }).tap();
  await expect(page.getByRole('article')).toContainText('When the new printer opened her shop');
  await expect(reader.rows.first()).not.toBeInViewport();
  await page.getByRole('button', { name: 'Next' }).tap();
  await expect(page.getByRole('article')).toContainText('no. 0009');
  await page.locator('header').getByRole('button', { name: 'Star', exact: true }).tap();
  // The phone's own way back leads to the list, where one was.
  await page.getByRole('button', { name: 'Back to list' }).tap();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(row).toBeInViewport();
  expect((await row.boundingBox())!.y).toBeCloseTo(before!.y, -1);
  await row.getByRole('link', { name: 'no. 0008' }).tap();
  await expect(page.getByRole('article')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('article')).toHaveCount(0);

  await bar.getByRole('link', { name: 'Starred' }).tap();
  await expect(reader.rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Show sidebar' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Feeds' });
  await expect(sheet).toBeVisible();
  await sheet.getByRole('link', { name: 'Edo Gazette' }).tap();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Edo Gazette' })).toBeVisible();
  await bar.getByRole('link', { name: 'Search' }).tap();
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('drawn to the right an item is read, to the left it gets a star', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  const row = reader.row('A field guide to broken clocks');
  await expect(row).toBeVisible();
  await swipe(page, row, 130);
  await expect(row.getByRole('button', { name: 'Mark as unread' })).toBeAttached();
  await expect(page).toHaveTitle('(7) All items · Kawaraban');
  await swipe(page, row, 130);
  await expect(page).toHaveTitle('(8) All items · Kawaraban');
  await swipe(page, row, -130);
  await expect(row.getByRole('button', { name: 'Remove star' })).toBeVisible();
  const starred = async () => (await reader.items('starred')).map(({ title }) => title);
  await expect.poll(starred).toEqual(['A field guide to broken clocks']);
  // A short way is no swipe, and a swipe is no tap.
  await swipe(page, row, 40);
  await expect(page.getByRole('article')).toHaveCount(0);
  expect(await reader.items('unread')).toHaveLength(8);
});

test('dialogs and settings have room', async ({ reader, origin }) => {
  const { page } = reader;
  const { feed_id } = await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  for (const path of [
    '/settings/appearance',
    '/settings/sign-in',
    '/welcome',
    `/?edit=${feed_id}`,
    '/?add=',
    '/search',
    '/watch',
  ]) {
    await reader.open(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
});
