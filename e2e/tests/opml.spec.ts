// Subscriptions in and out as a file.

import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/story.ts';

test('a file is brought in with its folders, feed by feed, and goes out again as it was', { tag: '@database' }, async ({
  reader,
  arrive,
  origin,
}) => {
  const { page } = reader;
  const [gazette, tenmon, gone, held] = [
    origin.feed({ title: 'Edo Gazette' }),
    origin.feed({ title: '町の天文台', language: 'ja' }),
    origin.feed({ title: 'Gone' }),
    origin.feed({ title: 'Slow Mail' }),
  ];
  gone.fail(410);
  const release = held.hold();
  const noFeed = origin.file('/about', 'text/html', '<title>About us</title><p>No feed here');
  await reader.subscribe(gazette);
  const outline = (title: string, url: string) =>
    `<outline type="rss" text="${title}" title="${title}" xmlUrl="${url}"/>`;
  const file = `<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="空と海">${outline('町の天文台', tenmon.url)}${outline('Slow Mail', held.url)}</outline>
${outline('Edo Gazette', gazette.url)}${outline('Gone', gone.url)}${outline('About us', noFeed)}</body></opml>`;

  await reader.open('/settings/feeds');
  await page
    .getByLabel('Choose an OPML file')
    .setInputFiles({ name: 'mine.opml', mimeType: 'text/x-opml', buffer: Buffer.from(file) });
  await expect(page.getByRole('progressbar', { name: 'Importing… 4 of 5' })).toHaveAttribute('aria-valuenow', '4');
  // The list of imports has it from the start.
  await expect(page.getByRole('listitem').filter({ hasText: 'Importing… 4 of 5' })).toBeVisible();
  release();
  await expect(page.getByRole('progressbar', { name: 'Import finished' })).toHaveAttribute('aria-valuenow', '5');
  const outcome = page.getByRole('status').filter({ hasText: '1 failed' });
  await expect(outcome).toContainText('3 added');
  await expect(outcome).toContainText('1 already subscribed');
  await expect(outcome).toContainText('1 failed');
  await expect(page.getByText('No feed was found at this address.')).toBeVisible();
  await expect(reader.place('空と海')).toContainText('16');
  // Who brings a list along wants it whole: what is gone is there, and says so.
  await expect(reader.place('Gone').getByRole('button', { name: /410: this feed has been removed/ })).toBeVisible();
  await expect(reader.place('About us')).toHaveCount(0);

  // What was brought in is still told about later.
  await page.reload();
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('dialog')).toContainText('No feed was found at this address.');
  await page.keyboard.press('Escape');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download OPML' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.opml$/);
  const written = await readFile(await download.path());
  const jun = await arrive({ name: 'Jun' });
  await jun.open('/welcome');
  await jun.page
    .getByLabel('Choose an OPML file')
    .setInputFiles({ name: 'hers.opml', mimeType: 'text/x-opml', buffer: written });
  await expect(jun.page.getByText('4 added')).toBeVisible();
  const shape = async (who: typeof reader) => {
    const folders = new Map((await who.folders()).map(({ id, name }) => [id, name]));
    const all = (await who.subscriptions()).map(({ feed_url, folder_id }) => [
      feed_url,
      folders.get(folder_id ?? '') ?? null,
    ]);
    return all.sort();
  };
  expect(await shape(jun)).toEqual(await shape(reader));
  await expect(jun.place('空と海')).toContainText('16');
});

test('what is no such file is refused in words', async ({ reader }) => {
  const { page } = reader;
  reader.watch.expect(/status of 4\d\d/);
  await reader.open('/settings/feeds');
  const choose = (text: string) =>
    page
      .getByLabel('Choose an OPML file')
      .setInputFiles({ name: 'x.opml', mimeType: 'text/x-opml', buffer: Buffer.from(text) });
  await choose('this is a shopping list');
  await expect(page.getByRole('alert')).toContainText(/OPML/);
  await choose('<opml version="2.0"><body></body></opml>');
  await expect(page.getByRole('alert')).toContainText('There are no feeds in this file.');
});
