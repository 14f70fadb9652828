// How pages look: theme, language, density, type. Kept in the browser and with the account.

import { expect, test } from '../support/story.ts';

test('the theme is kept in the browser and with the account, and never flashes', async ({ reader, arrive, origin }) => {
  const { page } = reader;
  const html = page.locator('html');
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/settings/appearance');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByText('Dark', { exact: true }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect
    .poll(() => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor))
    .toBe('rgb(22, 20, 15)');
  await expect.poll(async () => (await reader.ask('/api/users/me/settings')).body.theme).toBe('dark');

  // From the first paint on: what the page was before anything of ours ran but the small script in its head.
  await page.addInitScript(() => {
    const seen: (string | undefined)[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver(() => seen.push(document.documentElement.dataset.theme)).observe({
      type: 'paint',
      buffered: true,
    });
    new MutationObserver(() => seen.push(document.documentElement.dataset.theme)).observe(document, {
      attributeFilter: ['data-theme'],
      subtree: true,
    });
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  expect(new Set(await page.evaluate(() => (window as unknown as { seen: string[] }).seen))).toEqual(new Set(['dark']));

  // Another browser of the same person.
  const elsewhere = await arrive({ account: reader.account });
  await elsewhere.open('/?filter=all');
  await expect(elsewhere.page.locator('html')).toHaveAttribute('data-theme', 'dark');

  // As the system: it follows at once.
  await page.getByText('Match system').click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
});

test('the language is the browser’s at first, then the one that was chosen', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { locale: 'ja-JP' } });
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/settings/appearance');
  await expect(page.getByRole('heading', { level: 1, name: '設定' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await page.getByText('English', { exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect.poll(async () => (await reader.ask('/api/users/me/settings')).body.language).toBe('en');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();

  // What the server says is in the same language as the page, whatever the browser prefers.
  reader.watch.expect(/status of 502/);
  await reader.open(`/?filter=all&add=${encodeURIComponent(`${origin.url}/nowhere`)}`);
  await expect(page.getByRole('alert')).toContainText('The site answered 404: there is nothing at this address.');

  // As the browser again.
  await reader.open('/settings/appearance');
  await page.getByText('Match browser').click();
  await expect(page.getByRole('heading', { level: 1, name: '設定' })).toBeVisible();
});

test('density and the type of articles', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  const height = async () => (await reader.rows.first().boundingBox())!.height;
  await expect.poll(height).toBe(64);
  await page.locator('main').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitemradio', { name: 'Compact' }).click();
  await expect.poll(height).toBe(36);
  await reader.rows.first().getByRole('link', { name: 'The ferry timetable' }).click();
  const text = page.getByRole('article').getByText('When the new printer opened her shop');
  const type = () =>
    text.evaluate((element) => [getComputedStyle(element).fontSize, getComputedStyle(element).fontFamily]);
  expect((await type())[0]).toBe('18px');

  await reader.sidebar.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Serif', { exact: true }).click();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect(page.getByText('20 px')).toBeVisible();
  await page.goBack();
  await expect.poll(type).toEqual(['20px', expect.stringContaining('serif')]);
  await page.reload();
  await expect.poll(async () => (await type())[0]).toBe('20px');
  expect((await reader.ask('/api/users/me/settings')).body).toMatchObject({
    density: 'compact',
    preferences: { readingFont: 'serif', readingSize: 20 },
  });
});

test('single keys can be turned off', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/settings/keyboard');
  await page.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
  await reader.sidebar.getByRole('link', { name: 'All items' }).click();
  await expect(reader.rows).toHaveCount(8);
  await page.keyboard.press('j');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
});
