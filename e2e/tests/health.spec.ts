// The owner's page: how feeds and jobs are.

import { expect, test } from '../support/story.ts';

test('an owner sees which feeds fail and why, and has jobs tried again or cancelled', { tag: '@database' }, async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk({ FETCH_TIMEOUT: '2m' });
  const owner = await arrive({ desk, name: 'Oyakata', isOwner: true });
  const { page } = owner;
  const [well, failing, gone] = ['Well', 'Failing', 'Gone'].map((title) => origin.feed({ title }));
  for (const feed of [well!, failing!, gone!]) {
    const subscription = await owner.subscribe(feed);
    if (feed === failing) feed.fail(503);
    if (feed === gone) feed.fail(410);
    if (feed !== well) await owner.refresh(subscription);
  }
  await expect
    .poll(async () => (await owner.subscriptions()).map(({ feed_status }) => feed_status).sort())
    .toEqual(['active', 'error', 'stopped']);

  await owner.open('/');
  await owner.sidebar.getByRole('link', { name: 'Health' }).click();
  const counts = page.getByRole('group', { name: 'Feed status' });
  await expect(counts.getByText('1', { exact: true })).toHaveCount(3);
  const feeds = page.getByRole('region', { name: 'Feeds' }).getByRole('listitem');
  await expect(feeds).toHaveCount(1);
  await expect(feeds).toContainText('Failing');
  await expect(feeds).toContainText('failed once');
  await counts.getByText('Stopped').click();
  await expect(feeds).toContainText('The site answered 410: this feed has been removed.');
  await expect(feeds).toContainText('1 subscriber');

  // Two of a host at a time: as long as those two are held up, the third waits. It is cancelled, and tried again.
  const slow = ['One', 'Two', 'Three'].map((title) => origin.feed({ title }));
  const release = slow.map((feed) => feed.hold());
  const outlines = slow.map(({ title, url }) => `<outline text="${title}" xmlUrl="${url}"/>`).join('');
  const opml = `<opml version="2.0"><body>${outlines}</body></opml>`;
  await owner.context.request.post(`${desk.url}/api/opml`, {
    data: opml,
    headers: { origin: desk.url, 'content-type': 'text/x-opml' },
  });
  const which = page.getByRole('group', { name: 'Job status' });
  const job = page.getByRole('region', { name: 'Background jobs' }).getByRole('listitem');
  await expect.poll(async () => (await owner.ask('/api/admin/jobs?status=processing')).body.jobs.length).toBe(2);
  await which.getByText('Queued').click();
  await expect(job).toHaveCount(1);
  await expect(job).toContainText('Import feed');
  await job.getByRole('button', { name: 'Cancel' }).click();
  await expect(owner.toast('Job cancelled.')).toBeVisible();
  await expect(page.getByText('No queued jobs')).toBeVisible();
  await which.getByText('Failed').click();
  await expect(job).toContainText(/cancelled/);
  await job.getByRole('button', { name: 'Retry' }).click();
  await expect(owner.toast('Job queued again.')).toBeVisible();
  await expect(page.getByText('No failed jobs')).toBeVisible();
  for (const go of release) go();
  for (const { title } of slow) await expect(owner.place(title)).toContainText('8');
});

test('nobody else has that page', async ({ reader }) => {
  await reader.open('/?filter=all');
  await expect(reader.sidebar.getByRole('link', { name: 'Settings' })).toBeVisible();
  await expect(reader.sidebar.getByRole('link', { name: 'Health' })).toHaveCount(0);
  await reader.open('/health');
  await expect(reader.page.getByText('Only the owner can see this page')).toBeVisible();
  expect((await reader.ask('/api/admin/feeds?status=error')).status).toBe(403);
});
