// The first day: from a program that nobody has used yet to a list that is read.

import { expect, test } from '../support/story.ts';

test('from nothing to reading, and all of it is still there afterwards', { tag: '@database' }, async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const ann = await arrive({ desk, name: 'Ann', isSignedIn: false });
  const { page } = ann;
  ann.watch.expect(/status of 401/);
  const gazette = origin.feed({ title: 'Edo Gazette', icon: 'png' });

  await test.step('whoever comes too early is told where the link is', async () => {
    await ann.open();
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByText('No accounts yet')).toBeVisible();
  });

  await test.step('the link that the program printed makes the first account', async () => {
    await page.goto(desk.setupLink);
    await expect(page.getByLabel('E-mail address')).toBeFocused();
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('E-mail address').fill(ann.account.email);
    await page.getByLabel('Password', { exact: true }).fill(ann.account.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(`${desk.url}/welcome`);
    await expect(page.getByText('What would you like to read?')).toBeVisible();
  });

  await test.step('an address that is pasted becomes a feed with its items', async () => {
    await page.getByRole('textbox', { name: 'Address' }).fill(gazette.site);
    await page.getByRole('button', { name: 'Find feeds' }).click();
    await expect(ann.toast('Added Edo Gazette.')).toBeVisible();
    await expect(page).toHaveURL(/\/feeds\//);
    await expect(ann.rows).toHaveCount(8);
    await expect(ann.place('Edo Gazette')).toContainText('8');
    await expect(page).toHaveTitle('(8) Edo Gazette · Kawaraban');
  });

  await test.step('Enter opens an item in its place, and it is read', async () => {
    const first = ann.row('The ferry timetable that nobody could read');
    await first.getByRole('link', { name: 'The ferry timetable' }).press('Enter');
    await expect(first.getByRole('article')).toContainText('When the new printer opened her shop');
    await expect(first.getByRole('article')).toContainText('Ann Field');
    await expect(ann.place('Edo Gazette')).toContainText('7');
    await expect(page).toHaveTitle('(7) Edo Gazette · Kawaraban');
    await expect(page).toHaveURL(/item=\d+/);
  });

  await test.step('so does a click, one at a time; and it gets a star', async () => {
    const second = ann.row('A field guide to broken clocks');
    await second.getByRole('link', { name: 'A field guide' }).click();
    await expect(ann.page.getByRole('article')).toHaveCount(1);
    await second.getByRole('button', { name: 'Star', exact: true }).click();
    await expect(second.getByRole('button', { name: 'Remove star' })).toBeVisible();
    await expect(ann.place('Edo Gazette')).toContainText('6');
  });

  await test.step('three filters show what they say', async () => {
    await page.getByText('Starred', { exact: true }).last().click();
    await expect(ann.rows).toHaveCount(1);
    await page.getByText('Unread', { exact: true }).last().click();
    await expect(ann.rows).toHaveCount(6);
    await ann.rows.first().getByRole('button', { name: 'Mark as read' }).click();
    // What was read stays where it is until the list is left.
    await expect(ann.place('Edo Gazette')).toContainText('5');
    await expect(ann.rows).toHaveCount(6);
    await page.getByText('All', { exact: true }).click();
    await expect(ann.rows).toHaveCount(8);
  });

  await test.step('a reload keeps everything, also what is open', async () => {
    await ann.row('On reading slowly').getByRole('link', { name: 'On reading slowly' }).click();
    await expect(ann.place('Edo Gazette')).toContainText('4');
    await page.reload();
    await expect(page.getByRole('article')).toContainText('On reading slowly');
    await expect(page).toHaveTitle('(4) Edo Gazette · Kawaraban');
    const second = ann.row('A field guide to broken clocks');
    await expect(second.getByRole('button', { name: 'Remove star' })).toBeVisible();
    await expect(second.getByRole('button', { name: 'Mark as unread' })).toBeAttached();
  });

  await test.step('signing out leads to the door, signing in to where one was', async () => {
    const place = `${new URL(page.url()).pathname}?filter=starred`;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await ann.open(place);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.getByLabel('E-mail address').fill(ann.account.email);
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText(/password/);
    await page.getByLabel('Password', { exact: true }).fill(ann.account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${desk.url}${place}`);
    await expect(ann.rows).toHaveCount(1);
  });

  await test.step('the link works once', async () => {
    await page.goto(desk.setupLink);
    await expect(page.getByRole('heading', { name: 'Already set up' })).toBeVisible();
  });
});

test('whoever has no feeds is welcomed, in the language of the browser', async ({ arrive }) => {
  const hana = await arrive({ browser: { locale: 'ja-JP' } });
  await hana.open();
  await expect(hana.page).toHaveURL(/\/welcome/);
  await expect(hana.page.locator('html')).toHaveAttribute('lang', 'ja');
  await expect(hana.page.getByText('何を読みますか')).toBeVisible();
});

test('feeds to begin with become folders of feeds', async ({ reader, origin }) => {
  const { page } = reader;
  const feeds = ['Morning', 'Evening', 'Night'].map((title) => origin.feed({ title }));
  // The real ones are out on the web: this test puts its own in their place on the way to the server.
  await page.route('**/api/opml', async (route) => {
    let [text, at] = [route.request().postData() ?? '', 0];
    text = text.replaceAll(/xmlUrl="[^"]*"/g, () => `xmlUrl="${feeds[at++]!.url}"`);
    await route.continue({ postData: text });
  });
  await reader.open('/welcome');
  await expect(page.getByText('None selected')).toBeVisible();
  const [news, science] = ['News', 'Science'].map((topic) => page.getByRole('group', { name: topic }));
  await news!.getByRole('checkbox').nth(0).check();
  await news!.getByRole('checkbox').nth(1).check();
  await science!.getByRole('checkbox').nth(0).check();
  await expect(page.getByText('3 feeds selected')).toBeVisible();
  await page.getByRole('button', { name: 'Add selected' }).click();
  await expect(page.getByText('3 added')).toBeVisible();
  await expect(reader.place('News')).toContainText('16');
  await expect(reader.place('Science')).toContainText('8');
  await page.getByRole('link', { name: 'Start reading' }).click();
  await expect(reader.rows.first()).toBeVisible();
});
