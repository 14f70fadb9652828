// The dialog with one box: what an address becomes, and what it says when nothing can come of it.

import { Origin } from '../support/origin.ts';
import { expect, test } from '../support/story.ts';

test('a page with several feeds lets one choose, into a folder of its own', async ({ reader, origin }) => {
  const { page } = reader;
  const [articles, comments] = [origin.feed({ title: 'Harbour Notes' }), origin.feed({ title: 'Harbour comments' })];
  const site = origin.page('/harbour', [articles, comments]);

  await reader.open('/?filter=all');
  await reader.sidebar.getByRole('link', { name: 'Add feed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a feed' });
  await dialog.getByLabel('Site or feed address').fill(site);
  await dialog.getByLabel('Folder').selectOption('New folder…');
  await dialog.getByLabel('New folder name').fill('Sea');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  await expect(dialog.getByText('Found 2 feeds. Choose what to add.')).toBeVisible();
  const choices = dialog.getByRole('checkbox');
  await expect(choices).toHaveCount(2);
  await expect(choices.first()).toBeChecked();
  await dialog.getByRole('checkbox', { name: /Harbour comments/ }).check();
  await dialog.getByRole('button', { name: 'Add 2 feeds' }).click();

  await expect(reader.toast('Added 2 feeds.')).toBeVisible();
  await expect(reader.place('Sea')).toContainText('16');
  await expect(reader.place('Harbour Notes')).toContainText('8');
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Notes' })).toBeVisible();

  // The same page again: what one has is marked, and cannot be chosen twice.
  await reader.open(`/?filter=all&add=${encodeURIComponent(site)}`);
  await expect(dialog.getByText('Already subscribed')).toHaveCount(2);
  for (const choice of await choices.all()) await expect(choice).toBeDisabled();
});

test('it says that it is looking, and can be left meanwhile', async ({ reader, origin }) => {
  const { page } = reader;
  const slow = origin.feed({ title: 'Slow Mail' });
  const release = slow.hold();
  await reader.open(`/?filter=all&add=${encodeURIComponent(slow.url)}`);
  const dialog = page.getByRole('dialog', { name: 'Add a feed' });
  await expect(dialog.getByText(`Looking for feeds at ${new URL(slow.url).host}`)).toBeVisible();
  await expect(dialog.getByText('Some sites are slow.')).toBeVisible();
  release();
  await expect(reader.place('Slow Mail')).toBeVisible();
  await expect(dialog).toBeHidden();

  const again = origin.feed({ title: 'Slower Mail' });
  const releaseAgain = again.hold();
  await reader.open(`/?filter=all&add=${encodeURIComponent(again.url)}`);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${reader.desk.url}/?filter=all`);
  releaseAgain();
});

test('the page of a new feed never says that one is not subscribed to it', async ({ reader, origin }) => {
  const { page } = reader;
  // Texts that are fetched ahead may be of the feed that was just left.
  reader.watch.expect(/status of 404.*\/api\/items\//);
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const moved = origin.feed({ title: 'Harbour Notes' });
  await reader.open('/?filter=all');
  await page.evaluate(() => {
    const seen = window as unknown as { wasMissing: boolean };
    seen.wasMissing = false;
    new MutationObserver(() => {
      seen.wasMissing ||= document.body.textContent.includes('You’re not subscribed to this feed');
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const wasMissing = () => page.evaluate(() => (window as unknown as { wasMissing: boolean }).wasMissing);
  await reader.sidebar.getByRole('link', { name: 'Add feed' }).click();
  await page.getByLabel('Site or feed address').fill(gazette.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edo Gazette' })).toBeVisible();
  expect(await wasMissing()).toBe(false);

  // The same after a feed has got another address.
  await page.getByRole('main').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Feed settings' }).click();
  await page.getByLabel('Feed address').fill(moved.url);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Notes' })).toBeVisible();
  expect(await wasMissing()).toBe(false);
});

test('what cannot be added is told in words, with what to do', async ({ reader, origin }) => {
  const { page } = reader;
  // The answers that say so are what this is about.
  reader.watch.expect(/status of 4\d\d/, /status of 502/);
  const [gone, broken, walled] = [410, 500, 401].map((status) => {
    const feed = origin.feed({ title: `Feed ${status}` });
    feed.fail(status);
    return feed.url;
  });
  const closed = await Origin.listen();
  await closed.stop();
  const mine = origin.feed({ title: 'Edo Gazette' });
  await reader.subscribe(mine);
  await reader.open('/?filter=all&add=');
  const dialog = page.getByRole('dialog', { name: 'Add a feed' });
  const box = dialog.getByLabel('Site or feed address');
  const tryAddress = async (address: string) => {
    await box.fill(address);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  };

  const cases: [address: string, message: string, action: RegExp][] = [
    [
      `${origin.url}/nowhere`,
      'The site answered 404: there is nothing at this address.',
      /find the address of its feed/,
    ],
    [gone!, 'The site answered 410: this feed has been removed.', /address/],
    [broken!, 'The site answered with a server error.', /later/],
    [walled!, 'The site answered 401: it requires signing in.', /does not require signing in/],
    [
      origin.file('/empty.html', 'text/html', '<title>No feed</title><p>words'),
      'No feed was found at this address.',
      /find the link to the feed/i,
    ],
    [`${closed.url}/feed`, 'The site cannot be reached.', /later/],
    ['http://10.0.0.1/feed', 'This address is not on the public internet', /public address/],
  ];
  for (const [address, message, action] of cases) {
    await tryAddress(address);
    const alert = dialog.getByRole('alert');
    await expect.soft(alert, address).toContainText(message);
    await expect.soft(alert, address).toContainText(action);
    await expect.soft(dialog.getByRole('button', { name: 'Try again' }), address).toBeVisible();
  }

  await tryAddress('not an address at all');
  await expect(box).toHaveAttribute('aria-invalid', 'true');

  await tryAddress(mine.url);
  await expect(dialog.getByRole('alert')).toContainText(/already/);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edo Gazette' })).toBeVisible();
  await expect(dialog).toBeHidden();
});
