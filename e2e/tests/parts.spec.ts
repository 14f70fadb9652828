// Parts of the client that are loaded when they are first needed: what happens when they cannot be, and without a server.

import type { Locator, Page, Route } from '@playwright/test';
import { expect, test } from '../support/story.ts';

const NOT_LOADED = 'Part of Kawaraban couldn’t be loaded.';
const SEARCH_PAGE = /\/assets\/search-page-/;
const PALETTE = /\/assets\/command-palette-/;

/** Without the service worker, which has all parts. */
const withoutWorker = { serviceWorkers: 'block' } as const;

test('a page that cannot be loaded says so, and comes by the button', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: withoutWorker });
  const { page } = reader;
  reader.watch.expect(/ERR_FAILED/);
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  const press = await heldBack(page, SEARCH_PAGE);
  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await expect(page.locator('main').getByRole('alert')).toContainText(NOT_LOADED);
  await expect(page).toHaveURL(/\/search$/);

  // The rest of the page works.
  await reader.sidebar.getByRole('link', { name: 'All items' }).click();
  await expect(reader.rows).toHaveCount(8);
  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await expect(page.locator('main').getByRole('alert')).toContainText(NOT_LOADED);

  await press(page.locator('main').getByRole('button', { name: 'Try again' }));
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('it says so in Japanese too', async ({ arrive }) => {
  const reader = await arrive({ browser: { ...withoutWorker, locale: 'ja-JP' } });
  const { page } = reader;
  reader.watch.expect(/ERR_FAILED/);
  const press = await heldBack(page, SEARCH_PAGE);
  await reader.open('/search');
  await expect(page.getByRole('alert')).toContainText('Kawaraban の一部を読み込めませんでした。');
  await press(page.getByRole('button', { name: '再試行' }));
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('a page that never arrives is given up in the end', async ({ arrive }) => {
  const reader = await arrive({ browser: withoutWorker });
  const { page } = reader;
  await page.clock.install();
  await reader.open('/?filter=all');
  await expect(page.getByRole('heading', { level: 1, name: 'All items' })).toBeVisible();
  const late: Route[] = [];
  const press = await heldBack(page, SEARCH_PAGE, (route) => void late.push(route));
  reader.watch.expect(/ERR_FAILED/);
  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await expect(page.locator('main').getByText('Loading')).toBeAttached();
  await page.clock.fastForward('00:20');
  await expect(page.locator('main').getByRole('alert')).toContainText(NOT_LOADED);
  for (const route of late) await route.continue();
  await press(page.locator('main').getByRole('button', { name: 'Try again' }));
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('a dialog that cannot be loaded says so, can be closed, and comes by the button', async ({ arrive }) => {
  const reader = await arrive({ browser: withoutWorker });
  const { page } = reader;
  reader.watch.expect(/ERR_FAILED/);
  await reader.open('/?filter=all');
  await expect(page.getByRole('heading', { level: 1, name: 'All items' })).toBeVisible();
  const press = await heldBack(page, PALETTE);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(NOT_LOADED);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Try again' }));
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
});

test('the server goes down before a page was loaded: the page comes when the server is back', async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const reader = await arrive({ desk, isOwner: true, browser: withoutWorker });
  const { page } = reader;
  reader.watch.expect(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  await desk.halt();
  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await expect(page.locator('main').getByRole('alert')).toContainText(NOT_LOADED);
  await desk.wake();
  await expect(page.getByRole('searchbox')).toBeVisible({ timeout: 40_000 });
});

test('once the worker is there, every page and dialog opens without a server', async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const reader = await arrive({ desk, isOwner: true });
  const { page } = reader;
  reader.watch.expect(
    /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_FAILED/,
  );
  const { feed_id } = await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  await reader.readyOffline();
  const parts: string[] = await reader.demand('/sw.js').then(namesOf);
  expect(parts.length).toBeGreaterThan(20);
  await desk.halt();

  // Each part that the worker names is there, loaded before or not.
  const missing = await page.evaluate(async (paths) => {
    const answers = await Promise.all(
      paths.map((path) =>
        fetch(path).then(
          (answer) => answer.ok,
          () => false,
        ),
      ),
    );
    return paths.filter((_, at) => !answers[at]);
  }, parts);
  expect(missing).toEqual([]);

  await reader.sidebar.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await reader.sidebar.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await reader.sidebar.getByRole('link', { name: 'Health' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  for (const path of ['/welcome', '/?filter=all&add=', `/?filter=all&edit=${feed_id}`, '/sign-in', '/setup?token=x']) {
    await page.goto(`${desk.url}${path}`);
    await expect(page.locator('main').first()).toBeVisible();
    await expect(page.getByText(NOT_LOADED)).toHaveCount(0);
  }
  await desk.wake();
});

/**
 * Keeps a part from the page, and the answer to whether the server is there, so that nothing comes without the button. What it
 * gives lets the part through, presses the button and answers what the button asks, but nothing that was asked before.
 */
async function heldBack(
  page: Page,
  part: RegExp,
  handle: (route: Route) => unknown = (route) => route.abort(),
): Promise<(button: Locator) => Promise<void>> {
  const asked: Route[] = [];
  await page.route(part, handle);
  await page.route('**/healthz', (route) => void asked.push(route));
  return async (button) => {
    await page.unroute(part);
    const before = asked.length;
    await button.click();
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    // The page may have given up on them meanwhile.
    for (const route of asked.splice(0, asked.length - 1)) await route.abort().catch(() => {});
    await asked[0]?.continue();
  };
}

/** The parts that a worker keeps, as its own text names them. */
const namesOf = (worker: string) => [...worker.matchAll(/\/assets\/[\w.-]+/g)].map(([name]) => name);
