// How quick the client is, in a real browser on the real program: the figures of docs/performance.md. Fails when a budget of
// ui/build/budgets.ts is missed. Run by `make bench`.

import type { Browser, CDPSession, Page } from '@playwright/test';
import { BUDGETS } from '../../ui/build/budgets.ts';
import type { Account, Reader } from '../support/reader.ts';
import { PHONE, test } from '../support/story.ts';
import { BudgetCheck, median, ms, quantile, type Work, workOf } from './trace.ts';

const FEEDS = 10;
const ITEMS_EACH = 1_000;
const ROUNDS = 5;
const PRESSES = 31;
/** Until whatever goes on after something is over. */
const SETTLE_MS = 1_000;
/** As browsers' own tools have them: a middling phone is four times slower than a desk. */
const SLOWER = 4;
const NETWORKS = {
  'fast 4G (9 Mbit/s, 60 ms)': { latency: 60, megabits: 9 },
  'slow 4G (1.6 Mbit/s, 150 ms)': { latency: 150, megabits: 1.6 },
};

const budgets = new BudgetCheck();

const print = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`);

test('ten thousand items, and the first list on a phone', async ({ arrive, browser, origin }) => {
  const reader = await arrive({ browser: { serviceWorkers: 'block' } });
  for (let at = 0; at < FEEDS; at += 1) {
    const language = at % 2 === 0 ? 'en' : 'ja';
    await reader.subscribe(origin.feed({ title: `Gazette ${at + 1}`, items: ITEMS_EACH, language, icon: 'png' }));
  }
  const phone = await arrive({ account: reader.account, browser: { ...PHONE, serviceWorkers: 'block' } });
  print(
    `\nA list of ${FEEDS * ITEMS_EACH} items: work of the main thread between two frames (16.7 ms at 60 a second)\n`,
    '| | half of the frames | 95 of 100 | longest task | layouts for each step | elements in the page | memory |',
    '|---|---:|---:|---:|---:|---:|---:|',
  );
  await scrolling('wide, wheel', browser, reader, 1, BUDGETS.frameMs);
  await scrolling('phone, four times slower, wheel', browser, phone, SLOWER);
  await holding('wide, n held down', browser, reader, 'n', BUDGETS.frameMs);
  await holding('wide, j held down (each one opened)', browser, reader, 'j');
  await toTheEnd(reader);
  await keyToArticle(reader);
  print(
    '\nFrom the address to the first list on a phone, four times slower\n',
    '| network | nothing kept | second visit | later visits | requests before it | kB | work of the main thread, not slowed |',
    '|---|---:|---:|---:|---:|---:|---:|',
  );
  for (const name of Object.keys(NETWORKS))
    await firstList(name as keyof typeof NETWORKS, arrive, reader.account, browser);
  budgets.verify();
});

async function openList(reader: Reader): Promise<CDPSession> {
  await reader.open('/?filter=all');
  await reader.rows.first().waitFor();
  const box = await reader.page.locator('#main section').boundingBox();
  await reader.page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  return reader.context.newCDPSession(reader.page);
}

async function scrolling(
  name: string,
  browser: Browser,
  reader: Reader,
  slower: number,
  budget = Number.POSITIVE_INFINITY,
): Promise<void> {
  const cdp = await openList(reader);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const steps = 120;
  const work = await workOf(browser, reader.page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await reader.page.mouse.wheel(0, 100);
      await nextFrame(reader.page);
    }
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  budgets.hold(`${name}, 95 of 100 frames`, quantile(work.frames, 0.95), budget);
  await row(name, reader.page, cdp, work, steps);
}

async function holding(
  name: string,
  browser: Browser,
  reader: Reader,
  key: string,
  budget = Number.POSITIVE_INFINITY,
): Promise<void> {
  const cdp = await openList(reader);
  const steps = 60;
  const work = await workOf(browser, reader.page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await reader.page.keyboard.down(key);
      await nextFrame(reader.page);
      await nextFrame(reader.page);
    }
    await reader.page.keyboard.up(key);
  });
  budgets.hold(`${name}, 95 of 100 frames`, quantile(work.frames, 0.95), budget);
  await row(name, reader.page, cdp, work, steps);
}

async function toTheEnd(reader: Reader): Promise<void> {
  const cdp = await openList(reader);
  const before = await heap(cdp);
  await reader.page.locator('#main section').evaluate(async (box) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    while (box.querySelector('[data-item][aria-setsize="-1"]')) {
      box.scrollTop = box.scrollHeight;
      await frame();
    }
  });
  print(`\nScrolled to its end: memory grew from ${before.toFixed(1)} to ${(await heap(cdp)).toFixed(1)} MB.`);
}

/** From `j` to the painted article, one after the other. */
async function keyToArticle(reader: Reader): Promise<void> {
  await openList(reader);
  const times: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await reader.page.evaluate(markNextArticle);
    await reader.page.keyboard.press('j');
    times.push(await reader.page.evaluate(() => (window as any).opened));
  }
  const middle = median(times);
  budgets.hold('from a key to its article', middle, BUDGETS.keyToArticleMs);
  print(`\nFrom a key to its article: ${ms(middle)}, the slowest of ${PRESSES} ${ms(Math.max(...times))}.`);
}

/** Notes how long after the next key another article was painted; runs in the page. */
function markNextArticle(): void {
  const shown = () => document.querySelector('.article-text')?.closest('[data-item]')?.getAttribute('data-item');
  const before = shown();
  (window as any).opened = new Promise<number>((resolve) => {
    const pressed = ({ timeStamp }: KeyboardEvent) => {
      const look = () => {
        if ((shown() ?? before) === before) return void requestAnimationFrame(look);
        const after = () => resolve(performance.now() - timeStamp);
        (window as any).scheduler.postTask(after, { priority: 'user-blocking' });
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', pressed, { capture: true, once: true });
  });
}

const nextFrame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));

async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

async function row(name: string, page: Page, cdp: CDPSession, work: Work, steps: number): Promise<void> {
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  const half = ms(quantile(work.frames, 0.5));
  const most = ms(quantile(work.frames, 0.95));
  const layouts = (work.layouts / steps).toFixed(1);
  const memory = (await heap(cdp)).toFixed(1);
  print(`| ${name} | ${half} | ${most} | ${ms(work.longest)} | ${layouts} | ${elements} | ${memory} MB |`);
}

type Arrive = (arrival: { account: Account; browser: object }) => Promise<Reader>;

async function firstList(
  name: keyof typeof NETWORKS,
  arrive: Arrive,
  account: Account,
  browser: Browser,
): Promise<void> {
  const { latency, megabits } = NETWORKS[name];
  const times = { first: [] as number[], second: [] as number[], later: [] as number[] };
  let asked: { bytes: number }[] = [];
  let work = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const reader = await arrive({ account, browser: PHONE });
    const { page, context } = reader;
    // Somebody who was here before.
    const { id } = await reader.demand('/api/users/me');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: 'listed' });
    const source = `if (origin !== 'null') (${markFirstList})('${id}');`;
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source });
    const bytes = (megabits * 1e6) / 8;
    const network = { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes / 2 };
    await cdp.send('Network.emulateNetworkConditions', network);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const visit = () => timeToList(reader, cdp);
    const first = await visit();
    times.first.push(first.at);
    asked = first.asked;
    // The service worker has the pages; the browser keeps their code ready from the second visit on.
    await page.evaluate(() => navigator.serviceWorker.ready);
    times.second.push((await visit()).at);
    await page.waitForTimeout(SETTLE_MS);
    times.later.push((await visit()).at);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    if (round === 0) work = (await workOf(browser, page, visit)).total;
    await context.close();
  }
  const size = asked.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  budgets.hold(`${name}, second visit`, median(times.second), BUDGETS.secondVisitMs);
  const [first, second, later] = [times.first, times.second, times.later].map((all) => ms(median(all)));
  print(`| ${name} | ${first} | ${second} | ${later} | ${asked.length} | ${size.toFixed(0)} | ${ms(work)} |`);
}

/** Tells when the first row was painted; runs in the page. */
function markFirstList(owner: string): void {
  localStorage.setItem('kawaraban.owner', owner);
  const look = () => {
    if (!document.querySelector('[data-item]')) return void requestAnimationFrame(look);
    // The next thing that is done after this frame was painted.
    const after = () => {
      const at = performance.now();
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const asked = all.filter((one) => one.responseEnd < at).map((one) => ({ bytes: one.transferSize }));
      (window as any).listed(JSON.stringify({ at, asked }));
    };
    (window as any).scheduler.postTask(after, { priority: 'user-blocking' });
  };
  look();
}

/**
 * From an empty page, as one comes to it. Nothing but what the browser itself offers: what Playwright puts into a page to look
 * around in it would be counted, four times slower.
 */
async function timeToList(
  { page, desk }: Reader,
  cdp: CDPSession,
): Promise<{ at: number; asked: { bytes: number }[] }> {
  await page.goto('about:blank');
  await page.waitForTimeout(SETTLE_MS);
  const said = new Promise<string>((resolve) => cdp.once('Runtime.bindingCalled', ({ payload }) => resolve(payload)));
  await cdp.send('Page.navigate', { url: `${desk.url}/?filter=all` });
  return JSON.parse(await said);
}
