// A feed that only teases shows the whole text.

import type { Feed } from '../support/feed.ts';
import type { Origin } from '../support/origin.ts';
import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

const WORDS = 'The printers of Edo cut their news into wood, and sold it in the street before noon. ';
const page = (text: string) =>
  `<html><body><nav><a href="/">Home</a></nav><article><h1>Printers</h1><p>${text}</p></article></body></html>`;

/** A feed whose items are teasers, and the page of each. */
function teasers(origin: Origin, titles: string[], text = WORDS.repeat(20)): Feed {
  const feed = origin.feed({ title: 'Edo Gazette', items: 0 });
  for (const title of titles) feed.publish({ title, html: '<p>The printers of Edo…</p>' });
  for (const link of feed.links) origin.file(new URL(link).pathname, 'text/html', page(text));
  return feed;
}

async function openFirst(reader: Reader): Promise<void> {
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  await reader.page.keyboard.press('j');
  await expect(reader.page.locator('.article-text')).toBeVisible();
}

async function openSettings(reader: Reader): Promise<void> {
  const place = reader.place('Edo Gazette');
  await place.hover();
  await place.getByRole('button', { name: 'More actions for Edo Gazette' }).click();
  await reader.page.getByRole('menu').locator('[role^=menuitem]', { hasText: 'Feed settings' }).click();
}

test('one key shows the whole text, and the feed’s own again', { tag: '@database' }, async ({ reader, origin }) => {
  const { page: tab } = reader;
  await reader.subscribe(teasers(origin, ['Printers']));
  await openFirst(reader);
  const text = tab.locator('.article-text');
  await expect(text).toHaveText('The printers of Edo…');
  await tab.keyboard.press('f');
  await expect(text).toContainText('sold it in the street');
  await expect(text).not.toContainText('Home');
  await tab.keyboard.press('f');
  await expect(text).toHaveText('The printers of Edo…');
  await tab.getByRole('button', { name: 'Full text' }).click();
  await expect(text).toContainText('sold it in the street');
  await expect(tab.getByRole('button', { name: 'Feed’s text' })).toBeVisible();
});

test('the whole text is kept for times without a connection', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { serviceWorkers: 'block' } });
  const { page: tab } = reader;
  await reader.subscribe(teasers(origin, ['Printers']));
  await openFirst(reader);
  await tab.keyboard.press('f');
  await expect(tab.locator('.article-text')).toContainText('sold it in the street');
  reader.watch.expect(/ERR_FAILED/);
  await reader.context.route('**/api/items**', (route) => route.abort());
  await tab.reload();
  await expect(tab.locator('.article-text')).toHaveText('The printers of Edo…');
  await tab.keyboard.press('f');
  await expect(tab.locator('.article-text')).toContainText('sold it in the street');
});

test('a page that cannot be read says why, and the feed’s text stays', async ({ reader, origin }) => {
  const feed = teasers(origin, ['Printers']);
  origin.file(new URL(feed.links[0]!).pathname, 'text/html', 'no', 404);
  await reader.subscribe(feed);
  await openFirst(reader);
  await reader.page.keyboard.press('f');
  await expect(reader.page.getByRole('alert')).toContainText('404');
  await expect(reader.page.locator('.article-text')).toHaveText('The printers of Edo…');
});

test('a subscription can show all whole texts, or those that are longer', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page: tab } = reader;
  const feed = teasers(origin, ['Printers']);
  await reader.subscribe(feed);
  await reader.open('/?filter=all');
  await openSettings(reader);
  const choice = tab.getByRole('dialog').getByLabel('Full text');
  await expect(choice).toHaveValue('off');
  await choice.selectOption('Always');
  await tab.getByRole('button', { name: 'Save' }).click();
  await expect(tab.getByRole('dialog')).toBeHidden();
  const [item] = await reader.items();
  const stored = () => reader.demand(`/api/items/${item!.id}`);
  await expect.poll(async () => (await stored()).full_text).toContain('sold it in the street');
  await openFirst(reader);
  await expect(tab.locator('.article-text')).toContainText('sold it in the street');
  await tab.keyboard.press('f');
  await expect(tab.locator('.article-text')).toHaveText('The printers of Edo…');

  // Automatic: a page that says no more than the feed is not worth it.
  const short = teasers(origin, ['Short'], 'The printers of Edo, again.');
  const other = await reader.subscribe(short);
  await reader.demand(`/api/subscriptions/${other.id}/settings`, 'PUT', { full_text: 'auto' });
  await expect.poll(() => origin.countOf(short.links[0]!)).toBe(1);
  await openFirst(reader);
  await expect(tab.locator('.article-text')).toHaveText('The printers of Edo…');
});

test('own rules correct a text, with a preview', async ({ reader, origin }) => {
  const { page: tab } = reader;
  const feed = teasers(origin, ['Printers']);
  const body = '<div class="promo">Buy now!</div><div class="news">The one true text.</div>';
  origin.file(new URL(feed.links[0]!).pathname, 'text/html', `<html><body>${body}</body></html>`);
  await reader.subscribe(feed);
  await reader.open('/?filter=all');
  await openSettings(reader);
  const dialog = tab.getByRole('dialog');
  await dialog.getByText('Own rules for the full text').click();
  const preview = dialog.getByRole('region', { name: 'Preview of the newest item' });
  await expect(preview).toContainText('The one true text.');
  reader.watch.expect(/status of 400/);
  await dialog.getByLabel('The article (CSS selector)').fill('..news');
  await expect(preview).toContainText('A selector cannot be used.');
  await dialog.getByLabel('The article (CSS selector)').fill('.news');
  await expect(preview).toHaveText(/The one true text\.$/);
  await expect(preview).not.toContainText('Buy now!');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(reader.toast('Rules saved.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await openFirst(reader);
  await tab.keyboard.press('f');
  await expect(tab.locator('.article-text')).toHaveText('The one true text.');
});
