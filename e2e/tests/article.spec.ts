// An article looks as its author meant it.

import type { Page } from '@playwright/test';
import { everything } from '../support/article.ts';
import { png } from '../support/icons.ts';
import type { Origin } from '../support/origin.ts';
import type { Reader } from '../support/reader.ts';
import { expect, PHONE, test } from '../support/story.ts';

const PICTURE = 'https://pictures.example/red.png';
const BROKEN = 'https://pictures.example/lost.png';

/** Subscribes to a feed with one article that has everything, and answers for the server of its pictures. */
async function subscribe(reader: Reader, origin: Origin): Promise<void> {
  await reader.context.route('https://pictures.example/**', (route) =>
    route.request().url() === PICTURE
      ? route.fulfill({ contentType: 'image/png', body: png(181, 50, 27) })
      : route.fulfill({ status: 404 }),
  );
  reader.watch.expect(/404/);
  const feed = origin.feed({ title: 'Edo Gazette', items: 0 });
  feed.publish({ title: 'Everything', html: everything(PICTURE, BROKEN) });
  await reader.subscribe(feed);
}

async function openArticle(reader: Reader, origin: Origin): Promise<void> {
  await subscribe(reader, origin);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(1);
  await reader.page.keyboard.press('j');
  await expect(text(reader.page)).toContainText('boils at');
}

const text = (page: Page) => page.locator('.article-text');

test('text, tables, formulas, ruby and lists keep their meaning', async ({ reader, origin }) => {
  const { page } = reader;
  await openArticle(reader, origin);
  const article = text(page);
  await expect(article.locator('sub')).toHaveText('2');
  await expect(article.locator('del')).toHaveText('90');
  await expect(article.getByRole('heading', { level: 3, name: 'Water' })).toBeVisible();
  await expect(article.getByRole('heading', { level: 4 })).toHaveText('Numbers');
  await expect(article.getByRole('cell', { name: '1,200' })).toHaveCSS('text-align', 'end');
  await expect(article.locator('caption')).toHaveText('Sales');
  const formula = await article
    .locator('msqrt')
    .evaluate((root) => [root.namespaceURI, root.getBoundingClientRect().width > 40]);
  expect(formula).toEqual(['http://www.w3.org/1998/Math/MathML', true]);
  await expect(article.locator('rt')).toHaveText('かんじ');
  await expect(article.locator('[dir=rtl]')).toHaveCSS('direction', 'rtl');
  await expect(article.locator('ol[type=a]')).toHaveAttribute('start', '3');
  await expect(article.getByText('☑ done')).toBeVisible();
  await expect(article.getByText('Hidden at first.')).toBeHidden();
  await article.getByText('More', { exact: true }).click();
  await expect(article.getByText('Hidden at first.')).toBeVisible();
});

test('a footnote is shown in place, and leads back', async ({ reader, origin }) => {
  const { page } = reader;
  await openArticle(reader, origin);
  const address = page.url();
  const note = text(page).getByText('At sea level.');
  await expect(note).not.toBeInViewport();
  await text(page).getByRole('link', { name: '1', exact: true }).click();
  await expect(note).toBeInViewport();
  await expect(note).toBeFocused();
  await note.getByRole('link', { name: '↩' }).click();
  await expect(text(page).getByRole('link', { name: '1', exact: true })).toBeInViewport();
  expect(page.url()).toBe(address);
  expect(page.context().pages()).toHaveLength(1);
});

test('code has colours, no line numbers, and can be copied and wrapped', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const { page } = reader;
  await openArticle(reader, origin);
  const code = text(page).locator('pre');
  await expect(code).toHaveCount(1);
  await code.scrollIntoViewIfNeeded();
  await expect(code.locator('.hljs-keyword')).toHaveText('fn');
  const isWide = () => code.evaluate((box) => box.scrollWidth > box.clientWidth);
  expect(await isWide()).toBe(true);
  await text(page).getByRole('button', { name: 'Wrap lines' }).click();
  expect(await isWide()).toBe(false);
  await text(page).getByRole('button', { name: 'Copy' }).click();
  await expect(text(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^fn main\(\) \{\n {4}println!/);
});

test('a picture is enlarged by click and by key; a broken one says so', async ({ reader, origin }) => {
  const { page } = reader;
  await openArticle(reader, origin);
  const picture = text(page).getByAltText('A red square');
  await picture.scrollIntoViewIfNeeded();
  await picture.click();
  const dialog = page.getByRole('dialog', { name: 'A red square' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await picture.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(text(page).getByText('This image could not be loaded. A lost picture')).toBeVisible();
});

test('on a phone a wide table scrolls by itself', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: PHONE });
  const { page } = reader;
  await subscribe(reader, origin);
  await reader.open('/?filter=all');
  await reader.row('Everything').getByRole('link').first().tap();
  await expect(text(page).locator('sub')).toHaveText('2');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.viewport.width);
  const widths = await text(page)
    .locator('.article-table')
    .evaluateAll((boxes) => boxes.map((box) => box.scrollWidth > box.clientWidth));
  expect(widths).toEqual([false, true]);
});
