// Quick, as far as that can be counted: how much is drawn, laid out and asked for, what is shown before the server has answered,
// and what moves under the reader's eyes. Times are for `make bench`; they would say more about the machine than about us.

import type { Page, Route } from '@playwright/test';
import type { Feed } from '../support/feed.ts';
import { expect, PHONE, test } from '../support/story.ts';

/** Of rows, in pixels: ui/src/features/reader/item-list.tsx. */
const ROW = 64;
/** Rows beyond the edges of what is seen. */
const BEYOND = 8;

const list = (page: Page) => page.locator('#main section');
const settled = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Holds the answers to these requests until they are let go. */
async function hold(
  page: Page,
  method: string,
  path: RegExp,
): Promise<{ held: Route[]; release: () => Promise<void> }> {
  const held: Route[] = [];
  let isHeld = true;
  await page.route(path, async (route) => {
    if (isHeld && route.request().method() === method) held.push(route);
    else await route.fallback();
  });
  const release = async () => {
    isHeld = false;
    for (const route of held.splice(0)) await route.fallback();
  };
  return { held, release };
}

/** What moves without anybody having touched anything. */
async function watchShifts(page: Page): Promise<() => Promise<unknown[]>> {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element | null }[] };
    new PerformanceObserver((entries) => {
      for (const { value, hadRecentInput, sources } of entries.getEntries() as Shift[]) {
        if (!hadRecentInput)
          shifts.push([value, ...sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120))]);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    await settled(page);
    return page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts);
  };
}

test('thousands of items: few in the page, each drawn once, each page asked for once', async ({ reader, origin }) => {
  test.setTimeout(180_000);
  const { page } = reader;
  for (const title of ['Edo Gazette', 'Small Web Weekly']) await reader.subscribe(origin.feed({ title, items: 1_000 }));
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/items\?(?!.*include)/.test(request.url())) asked.push(request.url());
  });
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  // Nobody has scrolled, nothing more is asked for.
  await settled(page);
  expect(asked).toHaveLength(1);
  const seen = Math.ceil((await list(page).evaluate((box) => box.clientHeight)) / ROW) + 1;
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  const atFirst = await nodes();

  // A row further: one comes, one goes, and none of the others is touched.
  await list(page).evaluate((box) => box.scrollTo(0, 64 * 12));
  await settled(page);
  const changes = await list(page).evaluate(async (box) => {
    const count = { added: 0, removed: 0, changed: 0 };
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes, removedNodes } of records) {
        if (target === box.querySelector('ul')) {
          count.added += addedNodes.length;
          count.removed += removedNodes.length;
        } else if (type !== 'attributes' || target !== box) count.changed += 1;
      }
    });
    observer.observe(box, { subtree: true, childList: true, attributes: true, characterData: true });
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (let step = 0; step < 10; step += 1) {
      box.scrollTop += 64;
      await frame();
    }
    observer.disconnect();
    return count;
  });
  expect(changes).toEqual({ added: 10, removed: 10, changed: 0 });

  // To the end, as fast as a hand on the wheel: no more layouts than steps and pages call for.
  const cdp = await reader.context.newCDPSession(page);
  await cdp.send('Performance.enable');
  const layouts = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0;
  };
  const before = await layouts();
  const walk = await list(page).evaluate(async (box) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    let [steps, most, blank] = [0, 0, 0];
    while (
      !box.lastElementChild?.textContent?.includes('End of list') ||
      box.scrollTop + box.clientHeight + 1 < box.scrollHeight
    ) {
      box.scrollTop += 600;
      await frame();
      steps += 1;
      most = Math.max(most, box.querySelectorAll('[data-item]').length);
      const { left, top, height } = box.getBoundingClientRect();
      const isAtEnd = box.scrollTop + height + 1 >= box.scrollHeight;
      if (!isAtEnd && !document.elementFromPoint(left + 200, top + height / 2)?.closest('[data-item]')) blank += 1;
    }
    return { steps, most, blank };
  });
  expect(walk.blank).toBe(0);
  expect(walk.most).toBeLessThanOrEqual(seen + 2 * BEYOND);
  expect(await layouts().then((after) => after - before)).toBeLessThanOrEqual(3 * walk.steps + 3 * asked.length);
  expect(await reader.rows.last().getAttribute('aria-posinset')).toBe('2000');
  // Forty pages of fifty, and none twice.
  expect(asked).toHaveLength(40);
  expect(new Set(asked).size).toBe(40);
  // What is in the page does not grow with the list: eight rows more than at its beginning, where there is nothing above.
  expect(await nodes()).toBeLessThanOrEqual(atFirst + BEYOND * 20);
});

test('at the end of what is loaded the list stays where it is', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 200 }));
  const answers = await hold(page, 'GET', /\/api\/items\?.*cursor=/);
  await reader.open('/?filter=all');
  await expect(reader.rows.first()).toBeVisible();
  const end = await list(page).evaluate((box) => {
    box.scrollTop = box.scrollHeight;
    return box.scrollTop;
  });
  await expect.poll(() => answers.held.length).toBe(1);
  await answers.release();
  await expect(reader.row('no. 0051')).toBeInViewport();
  expect(await list(page).evaluate((box) => box.scrollTop)).toBe(end);
});

test('back leads to where one was', async ({ reader, origin }) => {
  const { page } = reader;
  const gazette = origin.feed({ title: 'Edo Gazette', items: 200 });
  await reader.subscribe(gazette);
  await reader.subscribe(origin.feed({ title: 'Small Web Weekly', items: 8 }));
  await reader.open('/?filter=unread');
  await expect(reader.rows.first()).toBeVisible();
  // What is read on the way stays in the list.
  await reader.row('no. 0003').getByRole('button', { name: 'Mark as read' }).click();
  await expect(async () => {
    await list(page).evaluate((box) => box.scrollBy(0, 900));
    await expect(reader.row('no. 0120')).toBeInViewport({ timeout: 50 });
  }).toPass();
  const top = await list(page).evaluate((box) => box.scrollTop);
  for (const leave of [
    () => page.getByRole('link', { name: 'Settings' }).click(),
    () => reader.place('Small Web Weekly').getByRole('link').click(),
  ]) {
    await leave();
    await expect(reader.row('no. 0120')).toHaveCount(0);
    await page.goBack();
    await expect(reader.row('no. 0120')).toBeInViewport();
    expect(await list(page).evaluate((box) => box.scrollTop)).toBe(top);
  }
  await list(page).evaluate((box) => box.scrollTo(0, 0));
  await expect(reader.row('no. 0003')).toBeVisible();
  // Any other way leads to the beginning of a new one.
  await page.getByRole('link', { name: 'Settings' }).click();
  await reader.sidebar.getByRole('link', { name: 'Unread' }).click();
  await expect(reader.row('no. 0004')).toBeVisible();
  await expect(reader.row('no. 0003')).toHaveCount(0);
});

test('what somebody does is seen before the server has answered', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 20 }));
  await reader.open('/?filter=all');
  const row = reader.row('no. 0004');
  await expect(row).toBeVisible();
  const writes = await hold(page, 'POST', /\/api\//);
  await row.getByRole('button', { name: 'Star' }).click();
  await expect(row.getByRole('button', { name: 'Remove star' })).toHaveAttribute('aria-pressed', 'true');
  await row.getByRole('button', { name: 'Mark as read' }).click();
  await expect(row.getByRole('button', { name: 'Mark as unread' })).toBeAttached();
  await expect(page).toHaveTitle('(19) All items · Kawaraban');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page).toHaveTitle('All items · Kawaraban');
  await expect(reader.rows.getByRole('button', { name: 'Mark as read' })).toHaveCount(0);

  // An article is open with what is known of it, while its text is still on its way.
  const texts = await hold(page, 'GET', /\/api\/items\/\d+$/);
  await reader.row('no. 0009').getByRole('link', { name: 'no. 0009' }).click();
  await expect(page.getByRole('article').getByRole('heading', { name: 'no. 0009' })).toBeVisible();
  await texts.release();
  await expect(page.locator('.article-text')).toBeVisible();
  await page.keyboard.press('Escape');

  // Another list is chosen at once.
  const lists = await hold(page, 'GET', /\/api\/items\?/);
  await page.getByRole('radio', { name: 'Starred' }).check({ force: true });
  await expect(page.getByRole('radio', { name: 'Starred' })).toBeChecked();
  await expect(page).toHaveURL(/filter=starred/);
  await lists.release();
  await writes.release();
  await expect.poll(async () => (await reader.items('starred')).length).toBe(1);
  await expect.poll(async () => (await reader.items('unread')).length).toBe(0);
});

/** An article with pictures, of which one says how large it is. */
function illustrated(feed: Feed): void {
  const text = `<p>${'The ferry filled, and the printer had reset the table in an evening. '.repeat(12)}</p>`;
  const known = '<img src="https://pictures.example/known.png" width="600" height="400">';
  const unknown = '<img src="https://pictures.example/unknown.png">';
  feed.publish({ title: 'A walk with pictures', html: `${text}${known}${text.repeat(3)}${unknown}${text.repeat(6)}` });
}

for (const [where, browser] of [
  ['wide', {}],
  ['phone', PHONE],
] as const) {
  test(`nothing moves by itself (${where})`, async ({ arrive, origin }) => {
    const reader = await arrive({ browser });
    const { page } = reader;
    const gazette = origin.feed({ title: 'Edo Gazette', items: 60, icon: 'png' });
    illustrated(gazette);
    const subscription = await reader.subscribe(gazette);
    const shifts = await watchShifts(page);
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"/>';
    await page.route(/pictures\.example/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }));
    const pictures = await hold(page, 'GET', /pictures\.example/);
    const texts = page.waitForResponse(/include=content/);
    await reader.open('/?filter=all');
    await expect(reader.row('A walk with pictures')).toBeVisible();
    await expect(reader.row('no. 0004')).toBeVisible();
    expect(await shifts()).toEqual([]);

    // New items announce themselves.
    gazette.publish({ title: 'The tide came early' });
    await reader.refresh(subscription);
    await expect(page.getByRole('button', { name: 'Show 1 new item' })).toBeVisible();
    expect(await shifts()).toEqual([]);

    // Pictures come when the article has been read for a while. Its text was there before it was opened.
    await (await texts).finished();
    await reader.row('A walk with pictures').getByRole('link', { name: 'A walk with pictures' }).click();
    await expect(page.locator('.article-text img').first()).toBeAttached();
    await expect.poll(() => pictures.held.length).toBeGreaterThan(0);
    const reserved = await page
      .locator('.article-text img')
      .first()
      .evaluate((image) => image.clientHeight / image.clientWidth);
    expect(reserved).toBeCloseTo(2 / 3, 1);
    await pictures.release();
    await expect
      .poll(() =>
        page
          .locator('.article-text img')
          .first()
          .evaluate((image: HTMLImageElement) => image.complete),
      )
      .toBe(true);
    expect(await shifts()).toEqual([]);
  });
}
