// Search in everything one reads, and the command palette.

import { expect, PHONE, test } from '../support/story.ts';

test('words are found and marked, also Japanese ones of one and two characters', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  const hangi = origin.feed({ title: '活版だより', language: 'ja' });
  const gazette = origin.feed({ title: 'Edo Gazette', items: 120 });
  hangi.publish({ title: '猫と暮らす', html: '<p>港町の猫は朝が早い。</p>' });
  for (const feed of [hangi, gazette]) await reader.subscribe(feed);
  const hits = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  const box = page.getByRole('searchbox', { name: 'Search all your items' });

  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await expect(page.getByText('Search all your items')).toBeVisible();

  // The index is made behind the scenes.
  await expect(async () => {
    const { body } = await reader.ask(`/api/search?q=${encodeURIComponent('猫')}`);
    expect(body.items).toHaveLength(1);
  }).toPass();

  await box.fill('猫');
  await expect(hits).toHaveCount(1);
  await expect(hits.locator('mark').first()).toHaveText('猫');
  await box.fill('星座');
  await expect(hits).toHaveCount(1);
  await expect(hits.getByRole('button')).toContainText('夏の夜空で見つけやすい星座');
  await expect(page).toHaveURL(/q=/);

  await box.fill('"broken clocks"');
  await expect(page.locator('main').getByText(/^15 results/)).toBeVisible();
  await expect(hits.first().locator('mark').first()).toHaveText(/broken/i);

  await box.fill('xylophone');
  await expect(page.locator('main').getByText('No results for “xylophone”')).toBeVisible();

  // What is found opens in its place, is read from then on, and comes back with the address.
  await box.fill('港町');
  await hits.getByRole('button', { name: '猫と暮らす' }).click();
  await expect(page.getByRole('article')).toContainText('港町の猫は朝が早い');
  const unread = async () => (await reader.items('unread')).map(({ title }) => title);
  await expect.poll(unread).not.toContain('猫と暮らす');
  await page.reload();
  await expect(page.getByRole('article')).toContainText('港町の猫は朝が早い');
  await page.getByRole('button', { name: '活版だより Close' }).click();
  await expect(hits.locator('mark').first()).toHaveText('港町');
});

test('results open as in a list: the same bar and keys, previous and next; on phones on a page', async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 40 }));
  await expect(async () => {
    const { body } = await reader.ask('/api/search?q=timetable');
    expect(body.items.length).toBeGreaterThan(2);
  }).toPass();
  await reader.open('/search?q=timetable');
  const hits = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(hits.first()).toBeVisible();
  const titles = (await hits.getByRole('heading').allTextContents()).map((title) => title.trim());
  const article = page.getByRole('article');
  const heading = (at: number) => article.getByRole('heading', { name: titles[at]!, exact: true });
  await hits.first().getByRole('button').click();
  await expect(heading(0)).toBeFocused();
  await expect(article.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await article.getByRole('button', { name: 'Next' }).click();
  await expect(heading(1)).toBeFocused();
  await page.keyboard.press('s');
  await expect(hits.nth(1).getByRole('button', { name: 'Remove star' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(heading(2)).toBeFocused();
  await page.keyboard.press('k');
  await hits.nth(1).getByRole('button', { name: 'Edo Gazette Close' }).click();
  await expect(article).toHaveCount(0);
  await expect(hits.nth(1).getByRole('button').first()).toBeFocused();

  await page.setViewportSize(PHONE.viewport);
  await hits.first().getByRole('button').first().click();
  await expect(page.getByRole('heading', { level: 1, name: titles[0]!, exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Back to list' }).click();
  await expect(hits.first().getByRole('button').first()).toBeFocused();
});

test('many results come page by page, each once', { tag: '@database' }, async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 120 }));
  await reader.open('/search?q=timetable');
  const hits = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(async () => {
    const { body } = await reader.ask('/api/search?q=timetable');
    expect(body.items.length).toBeGreaterThan(10);
  }).toPass();
  await page.reload();
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(hits.first()).toBeVisible();
  while (await more.isVisible()) {
    const count = await hits.count();
    await more.click();
    await expect.poll(() => hits.count()).toBeGreaterThan(count);
  }
  const titles = await hits.getByRole('button').allTextContents();
  // The word is in the text of every item.
  expect(titles).toHaveLength(120);
  expect(new Set(titles).size).toBe(120);
});

test('the command palette goes anywhere and does anything, by keys and by pointer', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette' });
  await reader.subscribe(gazette);
  await reader.subscribe(origin.feed({ title: '活版だより', language: 'ja' }));
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const box = palette.getByRole('combobox');

  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  await page.keyboard.press('Control+k');
  await box.fill('gaz');
  await expect(palette.getByRole('option').first()).toHaveText('Edo Gazette');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Edo Gazette' })).toBeVisible();

  await reader.sidebar.getByRole('button', { name: 'Command palette' }).click();
  await palette.getByRole('option', { name: 'Dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.keyboard.press('Control+k');
  await box.fill('活版');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '活版だより' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await box.fill('星座');
  await page.keyboard.press('ArrowUp');
  await expect(palette.getByRole('option', { selected: true })).toHaveText('Search for “星座”');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=/);

  await page.keyboard.press('Control+k');
  await box.fill('example.invalid/feed');
  await expect(palette.getByRole('option').first()).toHaveText('Add example.invalid/feed');
});
