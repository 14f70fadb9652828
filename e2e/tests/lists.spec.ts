// The list itself: long ones, new items, marking everything, and what a row tells about its item.

import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

test('a list of 520 items is scrolled to its end: each one once, in order, few in the page', {
  tag: '@database',
}, async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette', items: 520 });
  const { feed_id } = await reader.subscribe(gazette);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/items?') && !request.url().includes('include=content')) asked.push(request.url());
  });
  await reader.open(`/feeds/${feed_id}`);
  await expect(reader.rows.first()).toBeVisible();
  await expect(page).toHaveTitle('(520) Edo Gazette · Kawaraban');

  // Down to the end, less than a screen at a time; each item has its number in its title.
  const { seen, most } = await page.locator('main section').evaluate(async (list) => {
    const seen: [at: number, number: number][] = [];
    let most = 0;
    const frame = () => new Promise(requestAnimationFrame);
    const isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    while (true) {
      await frame();
      await frame();
      const rows = [...list.querySelectorAll('[data-item]')];
      most = Math.max(most, rows.length);
      for (const row of rows) {
        const number = /no\. (\d{4})/.exec(row.textContent ?? '')?.[1];
        seen.push([Number(row.getAttribute('aria-posinset')), Number(number)]);
      }
      if (isAtEnd() && list.textContent?.includes('End of list')) return { seen, most };
      list.scrollBy(0, list.clientHeight * 0.8);
    }
  });
  // Each at its own place, all the time.
  expect(seen.filter(([at, number]) => at !== number)).toEqual([]);
  expect(new Set(seen.map(([, number]) => number)).size).toBe(520);
  expect(most).toBeLessThan(60);
  // Fifty at a time, none twice.
  expect(asked).toHaveLength(11);
  expect(new Set(asked).size).toBe(11);
});

test('everything is marked as read at once, and that can be taken back', { tag: '@database' }, async ({
  reader,
  origin,
}) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette', items: 60 });
  const other = origin.feed({ title: 'Harbour Notes' });
  const { feed_id } = await reader.subscribe(gazette);
  await reader.subscribe(other);
  await reader.open(`/feeds/${feed_id}`);
  await expect(page).toHaveTitle('(68) Edo Gazette · Kawaraban');
  await expect(reader.rows.first()).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  const said = reader.toast('60 items marked as read');
  await expect(said).toBeVisible();
  await expect(page).toHaveTitle('(8) Edo Gazette · Kawaraban');
  await expect(reader.rows.first().getByRole('button', { name: 'Mark as unread' })).toBeAttached();
  expect(await reader.items('unread')).toHaveLength(8);

  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveTitle('(68) Edo Gazette · Kawaraban');
  await expect(reader.rows.first().getByRole('button', { name: 'Mark as read' })).toBeVisible();
  // If the reload cuts off the answer, the next page sends the undo again: it is gone by then.
  reader.watch.expect(/404 .*\/api\/undo/);
  await page.reload();
  await expect(reader.place('Edo Gazette')).toContainText('60');

  // By its key, what came after the list was loaded stays unread.
  await expect(reader.rows.first()).toBeVisible();
  gazette.publish({ title: 'The tide came early' });
  await reader.refresh((await reader.subscriptions()).find((one) => one.feed_id === feed_id)!);
  await expect(page.getByRole('button', { name: 'Show 1 new item' })).toBeVisible();
  await page.keyboard.press('Shift+A');
  await expect(reader.toast('60 items marked as read')).toBeVisible();
  await expect(reader.place('Edo Gazette')).toContainText('1');
  await page.getByText('Unread', { exact: true }).last().click();
  await expect(reader.rows).toHaveCount(1);
  await expect(reader.rows).toContainText('The tide came early');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page).toHaveTitle('(8) Edo Gazette · Kawaraban');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(reader.toast('Everything here is already read.')).toBeVisible();
});

test('new items announce themselves, and come when they are asked for', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette', items: 60 });
  const subscription = await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(page).toHaveTitle('(60) All items · Kawaraban');
  await reader.rows.first().hover();
  await page.mouse.wheel(0, 900);
  const row = reader.row('no. 0020');
  await expect(row).toBeInViewport();
  const before = await row.boundingBox();

  gazette.publish({ title: 'The tide came early' }, { title: 'A lantern in the fog' });
  await reader.refresh(subscription);
  const pill = page.getByRole('button', { name: 'Show 2 new items' });
  await expect(pill).toHaveText('2 new');
  await expect(page).toHaveTitle('(62) All items · Kawaraban');
  await expect(reader.place('Edo Gazette')).toContainText('62');
  // Nothing has moved under the eyes of whoever reads.
  expect(await row.boundingBox()).toEqual(before);
  await expect(reader.row('The tide came early')).toHaveCount(0);

  await pill.click();
  await expect(reader.rows.first()).toBeInViewport();
  await expect(reader.rows.nth(0)).toContainText(/The tide came early|A lantern in the fog/);
  await expect(reader.rows.nth(2)).toContainText('no. 0001');
  await expect(pill).toHaveCount(0);
});

test('a list that was read to its end fills by itself', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const subscription = await reader.subscribe(gazette);
  await reader.open('/?filter=unread');
  await expect(reader.rows).toHaveCount(8);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page).toHaveTitle('Unread · Kawaraban');
  await page.reload();
  await expect(page.getByText('All read', { exact: true })).toBeVisible();
  gazette.publish({ title: 'The tide came early' });
  await reader.refresh(subscription);
  await expect(reader.row('The tide came early')).toBeVisible();
});

test('a row tells what is known of its item', async ({ reader, origin }) => {
  const { page } = reader;
  const painted = origin.feed({ title: 'Painted', icon: 'png', items: 1 });
  const old = origin.feed({ title: 'Old icons', icon: 'ico', items: 1, format: 'atom', language: 'ja' });
  const plain = origin.feed({ title: 'undecorated', items: 0 });
  plain.publish({ title: 'Nobody knows when', at: null, html: '' });
  for (const feed of [painted, old, plain]) await reader.subscribe(feed);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(3);

  // Icons: real ones where there are some, the first letter where there is none.
  for (const name of ['Painted', 'Old icons']) {
    const icon = reader.place(name).locator('img');
    await expect(icon).toBeVisible();
    expect(await icon.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(32);
  }
  await expect(reader.place('undecorated').locator('img')).toHaveCount(0);
  await expect(reader.place('undecorated')).toContainText('U');

  // Times: relative, with the exact one on hover; marked where the feed gives none.
  const dated = reader.row('The ferry timetable').locator('time');
  await expect(dated).toContainText(/^\d+ ?m/);
  await dated.hover();
  await expect(dated).toHaveAttribute('title', /20\d\d/);
  const undated = reader.row('Nobody knows when');
  await expect(undated.getByTitle(/^No date given\. First seen/)).toContainText('≈');

  // And what has no text says so when it is opened.
  await undated.getByRole('link', { name: 'Nobody knows when' }).click();
  await expect(undated.getByText('This feed has no text for this item.')).toBeVisible();
  const original = undated.getByRole('link', { name: 'Open original' });
  await expect(original).toHaveAttribute('rel', /noopener/);
  const [tab] = await Promise.all([page.waitForEvent('popup'), original.click()]);
  await expect(tab).toHaveURL(new RegExp(`^${plain.site}[0-9a-f]{12}$`));
});

test('bookmarks: nothing until they are counted, then a number, also 0', async ({ startDesk, arrive, origin }) => {
  const gazette = origin.feed({ title: 'Edo Gazette', items: 2 });
  const [liked, ignored] = gazette.links;
  let isOpen = () => {};
  const mayCount = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  origin.place('/count/entries', async () => {
    await mayCount;
    return { type: 'application/json', body: JSON.stringify({ [liked!]: 1234, [ignored!]: 0 }) };
  });
  const desk = await startDesk({
    HATEBU_ENABLED: 'true',
    HATEBU_API_URL: origin.url,
    HATEBU_BATCH_INTERVAL: '1s',
    HATEBU_API_INTERVAL: '0s',
  });
  const reader: Reader = await arrive({ desk });
  await reader.subscribe(gazette);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(2);
  await expect(reader.page.getByTitle(/Hatena/)).toHaveCount(0);
  isOpen();
  await expect.poll(async () => (await reader.items()).every((item) => item.hatebu_fetched_at)).toBe(true);
  await reader.page.keyboard.press('r');
  await expect(reader.page.getByTitle(/^1,?234 Hatena bookmarks$/)).toContainText('1,234');
  await expect(reader.page.getByTitle('0 Hatena bookmarks')).toContainText('0');
});

test('another density keeps the rows below an open article in view', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await reader.rows.nth(1).getByRole('link').first().click();
  await expect(page.getByRole('article')).toContainText('Figures that line up');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Compact list');
  await page.keyboard.press('Enter');
  // Each row begins where the one above it ends.
  const gaps = () =>
    reader.rows.evaluateAll((rows) => {
      const boxes = rows.map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
      return boxes.slice(1).map((box, at) => Math.abs(Math.round(box.top - boxes[at]!.bottom)));
    });
  await expect.poll(async () => (await reader.rows.last().boundingBox())?.height).toBe(36);
  await expect.poll(gaps).toEqual(Array(7).fill(0));
});

test('an article that is still loading takes little room', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  // Texts do not come.
  await page.route(/\/api\/items\/\d+$|include=content/, () => {});
  await reader.open('/?filter=all');
  await reader.rows.nth(1).getByRole('link').first().click();
  await expect(page.getByRole('article').getByRole('status')).toBeAttached();
  expect((await page.getByRole('article').boundingBox())?.height).toBeLessThan(600);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('rows are links: other ways to click open a tab', async ({ reader, origin }) => {
  const { page, context } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=unread');
  const link = reader.row('The ferry timetable').getByRole('link').first();
  await expect(link).toHaveAttribute('href', /^\/\?filter=unread&item=\d+$/);
  const clicks = [() => link.click({ button: 'middle' }), () => link.click({ modifiers: ['ControlOrMeta'] })];
  for (const click of clicks) {
    const [tab] = await Promise.all([context.waitForEvent('page'), click()]);
    await expect(tab.getByRole('article').getByRole('heading', { name: 'The ferry timetable' })).toBeVisible();
    await tab.close();
  }
  await expect(page.getByRole('article')).toHaveCount(0);
});
