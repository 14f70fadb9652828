// Two people at once: the same feeds, nothing else in common.

import { expect, test } from '../support/story.ts';

test('two people read the same feed; neither sees what the other does, both get what is new', {
  tag: '@database',
}, async ({ arrive, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const [hana, jun] = await Promise.all([arrive({ name: 'Hana' }), arrive({ name: 'Jun' })]);
  const subscription = await hana.subscribe(gazette);
  await hana.addFolder('Papers');
  await jun.subscribe(gazette);
  await jun.subscribe(origin.feed({ title: 'Harbour Notes' }));
  for (const person of [hana, jun]) await person.open('/?filter=all');
  await expect(hana.page).toHaveTitle('(8) All items · Kawaraban');
  await expect(jun.page).toHaveTitle('(16) All items · Kawaraban');
  await expect(jun.place('Papers')).toHaveCount(0);
  await expect(hana.place('Harbour Notes')).toHaveCount(0);

  const title = 'A field guide to broken clocks';
  await hana.row(title).getByRole('link', { name: title }).click();
  await hana.row(title).getByRole('button', { name: 'Star', exact: true }).click();
  await expect(hana.page).toHaveTitle('(7) All items · Kawaraban');

  gazette.publish({ title: 'The tide came early' });
  await hana.refresh(subscription);
  for (const person of [hana, jun]) {
    await person.page.getByRole('button', { name: 'Show 1 new item' }).click();
    await expect(person.row('The tide came early')).toBeVisible();
  }
  await expect(hana.page).toHaveTitle('(8) All items · Kawaraban');
  await expect(jun.page).toHaveTitle('(17) All items · Kawaraban');
  await expect(jun.place('Edo Gazette')).toContainText('9');
  await jun.open('/?filter=starred');
  await expect(jun.page.locator('main').getByText('No starred items yet')).toBeVisible();

  // What is somebody else’s is as if it were not there.
  jun.watch.expect(/status of 404/);
  const [folder] = await hana.folders();
  await jun.open(`/folders/${folder!.id}`);
  await expect(jun.page.locator('main').getByText('Folder not found')).toBeVisible();
});

test('two windows of one person agree', async ({ reader, arrive, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette' });
  await reader.subscribe(gazette);
  const elsewhere = await arrive({ account: reader.account });
  for (const window of [reader, elsewhere]) await window.open('/?filter=all');
  await expect(elsewhere.page).toHaveTitle('(8) All items · Kawaraban');
  await reader.rows.first().getByRole('button', { name: 'Mark as read' }).click();
  await expect(elsewhere.page).toHaveTitle('(7) All items · Kawaraban');
  await reader.subscribe(origin.feed({ title: 'Harbour Notes' }));
  await expect(elsewhere.place('Harbour Notes')).toContainText('8');
});

test('one browser, one after the other: nothing of the first is left for the second', async ({
  reader,
  arrive,
  origin,
}) => {
  const { page } = reader;
  reader.watch.expect(/status of 401/);
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  const jun = await arrive({ name: 'Jun' });
  await jun.subscribe(origin.feed({ title: 'Harbour Notes' }));
  await reader.open('/?filter=all');
  await expect(reader.place('Edo Gazette')).toBeVisible();
  await reader.sidebar.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('E-mail address').fill(jun.account.email);
  await page.getByLabel('Password', { exact: true }).fill(jun.account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(reader.place('Harbour Notes')).toBeVisible();
  await expect(page.getByText('Edo Gazette')).toHaveCount(0);
});
