// Sites without a feed: previewed, watched, checked, and filtered by words.

import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import type { Origin } from '../support/origin.ts';
import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

const TITLES = [
  'The ferry timetable that nobody could read',
  'A field guide to broken clocks',
  'What the tide tables left out',
  'Notes on repairing a letterpress',
];
const DAY = 86_400_000;

/** A site with a page of posts, and no feed. */
class Site {
  readonly url: string;
  readonly #posts: { title: string; path: string; at: Date }[] = [];
  readonly #origin: Origin;
  readonly #path = `/${randomBytes(4).toString('hex')}/`;

  constructor(origin: Origin, title: string) {
    this.#origin = origin;
    this.url = origin.place(this.#path, () => html(title, `<h1>${title}</h1>${this.#list()}`));
    for (const [at, post] of [...TITLES.entries()].reverse()) this.publish(post, new Date(Date.now() - (at + 1) * DAY));
  }

  publish(title: string, at = new Date()): void {
    const path = `${this.#path}posts/${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
    this.#posts.unshift({ title, path, at });
    this.#origin.place(path, () => html(title, `<article><h1>${title}</h1><p>${'Words. '.repeat(80)}</p></article>`));
  }

  #list(): string {
    return this.#posts
      .map(({ title, path, at }) => {
        const day = at.toISOString().slice(0, 10);
        return `<article><h2><a href="${path}">${title}</a></h2><time datetime="${day}">${day}</time></article>`;
      })
      .join('');
  }
}

function html(title: string, main: string) {
  const nav = '<nav><a href="/">Home</a> <a href="/about">About</a></nav>';
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body>${nav}<main>${main}</main></body></html>`;
  return { type: 'text/html; charset=utf-8', body };
}

/** Pastes the address into the dialog, and asks for the preview. */
async function preview({ page, watch }: Reader, address: string): Promise<Locator> {
  // The answer that there is no feed.
  watch.expect(/status of 422/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Site or feed address').fill(address);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('No feed was found at this address.');
  await dialog.getByRole('button', { name: 'Watch this site' }).click();
  await expect(dialog).toHaveAccessibleName('Watch a site');
  return dialog;
}

/** The row of a site on the page Watch. */
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) });

test('a site without a feed is previewed, watched, checked and filtered by words', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  const site = new Site(origin, 'Harbour Notes');
  await reader.open('/?filter=all');

  await test.step('previewed and watched', async () => {
    await reader.sidebar.getByRole('link', { name: 'Add feed' }).click();
    const dialog = await preview(reader, site.url);
    await expect(dialog.getByText('Harbour Notes')).toBeVisible();
    await expect(dialog.getByText('Watched by its page')).toBeVisible();
    const posts = dialog.getByRole('region', { name: 'Posts found' }).getByRole('link');
    await expect(posts).toHaveText(TITLES);
    await expectAccessible(page, 'preview of a site');
    await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
    await expect(reader.toast('Added Harbour Notes.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Harbour Notes' })).toBeVisible();
    await expect(reader.rows).toHaveCount(TITLES.length);
    expect(await reader.items('unread')).toEqual([]);
  });

  await test.step('words leave posts out', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await expect(page.getByRole('heading', { level: 1, name: 'Watch' })).toBeVisible();
    await rowOf(page, 'Harbour Notes').getByRole('link', { name: 'Details of Harbour Notes' }).click();
    await page.getByLabel('No posts with one of these words').fill('Sponsored, 広告');
    await page.getByRole('button', { name: 'Save words' }).click();
    await expect(reader.toast('Words saved.')).toBeVisible();
    await expect(page.getByLabel('No posts with one of these words')).toHaveValue('Sponsored\n広告');
  });

  await test.step('a check brings the new post', async () => {
    site.publish('Sponsored: buy a better boat');
    site.publish('The tide mill turns again');
    await page.getByRole('button', { name: 'Check Harbour Notes now' }).click();
    await expect(reader.toast('Harbour Notes: new posts.')).toBeVisible();
    const checks = page.getByRole('table', { name: 'Checks' }).getByRole('row');
    await expect(checks.nth(1)).toContainText('New posts');
    await expect(checks.nth(1)).toContainText('200');
    await expect(
      page.getByRole('region', { name: 'Posts of the last check' }).getByRole('link', { name: 'The tide mill' }),
    ).toBeVisible();
    await expectAccessible(page, 'a watched site');
  });

  await test.step('the page Watch and the list show it', async () => {
    await page.getByRole('link', { name: 'All watched sites' }).click();
    const row = rowOf(page, 'Harbour Notes');
    await expect(row).toContainText('OK');
    await expect(row).toContainText('Source');
    await expect(row.getByRole('img')).toHaveAccessibleName(/^30 days: changed on 1,/);
    await expectAccessible(page, 'watched sites');
    await row.getByRole('link', { name: 'Harbour Notes', exact: true }).click();
    await expect(reader.row('The tide mill turns again')).toBeVisible();
    await expect(reader.rows).toHaveCount(TITLES.length + 1);
    const unread = await reader.items('unread');
    expect(unread.map(({ title }) => title)).toEqual(['The tide mill turns again']);
  });
});

test('the newest posts can start unread; a page without posts says why', async ({ reader, origin }) => {
  const { page } = reader;
  const site = new Site(origin, 'Harbour Notes');
  await reader.open('/watch');
  await expect(page.getByText('No watched sites yet')).toBeVisible();
  await expectAccessible(page, 'no watched sites');
  await page.getByRole('main').getByRole('link', { name: 'Add a site' }).click();
  const empty = origin.file(`/${randomBytes(4).toString('hex')}`, 'text/html', '<title>Empty</title><p>Nothing here.');
  const dialog = await preview(reader, empty);
  await expect(dialog.getByRole('alert')).toContainText('No list of posts was found on this page.');
  await expect(dialog.getByRole('button', { name: 'Watch', exact: true })).toBeDisabled();

  await dialog.getByRole('button', { name: 'Back' }).click();
  await preview(reader, site.url);
  await dialog.getByLabel('Mark the newest posts as unread').check();
  await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Notes' })).toBeVisible();
  expect((await reader.items('unread')).map(({ title }) => title)).toContain(TITLES[0]);
});

test('many sites are added one after the other, each with its result', async ({ reader, origin }) => {
  const { page } = reader;
  reader.watch.expect(/status of (409|502)/);
  const [first, second] = [new Site(origin, 'Harbour Notes'), new Site(origin, 'Field Notes')];
  await reader.demand('/api/feeds', 'POST', { url: first.url, kind: 'site' });
  await reader.open('/watch');
  await page.getByRole('button', { name: 'Watch many sites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Watch many sites' });
  await dialog.getByLabel('Addresses').fill(`${first.url}\n\n${second.url}\n${second.url}\n${origin.url}/nowhere\n`);
  await dialog.getByRole('button', { name: 'Watch 3 sites' }).click();
  const lines = dialog.getByRole('listitem');
  await expect(lines.nth(0)).toContainText('Already watched');
  await expect(lines.nth(1)).toContainText('Added');
  await expect(lines.nth(2)).toContainText('Not added');
  await expect(lines.nth(2)).toContainText('404');
  await expect(dialog.getByText('1 added · 1 already watched · 1 not added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(rowOf(page, 'Field Notes')).toBeVisible();
  await expect(reader.place('Field Notes')).toBeVisible();
});
