// Every screen, and the way to it. By addresses and keys, so that it is the same in both languages.

import type { Look, Reader } from '../support/reader.ts';
import type { Stage } from './stage.ts';

export type Size = 'wide' | 'phone';

export type Screen = {
  /** The beginning of the picture's name. */
  name: string;
  who?: 'nobody' | 'newcomer';
  look?: Look;
  /** Left out where there is no such thing, such as keys on a phone. */
  only?: Size;
  go: (reader: Reader, stage: Stage, size: Size) => Promise<void>;
  /** Leaves everything as it was. */
  after?: (reader: Reader, stage: Stage) => Promise<void>;
};

const list = (path: string) => async (reader: Reader) => {
  await reader.open(path);
  await reader.rows.first().waitFor();
};
const page = (path: string, until: string) => async (reader: Reader) => {
  await reader.open(path);
  await reader.page.locator(until).first().waitFor();
};
const settings = (section: string, until = 'main h2'): Screen => ({
  name: `settings-${section}`,
  go: page(`/settings/${section}`, until),
});

/** The article that somebody has open: in the language of the page. */
const opened = (stage: Stage) => stage.item(stage.language === 'ja' ? '瓦版は' : 'The queue that');
const openedAgain = async (reader: Reader, stage: Stage) => {
  await reader.demand(`/api/items/${opened(stage).id}/state`, 'PUT', { is_read: false });
};
let release = () => {};
const feedPath = (stage: Stage, key: string) => `/feeds/${stage.subscriptions.get(key)?.feed_id}`;

const article = async (reader: Reader, stage: Stage, scrolled: number) => {
  await reader.open(`/?filter=all&item=${opened(stage).id}`);
  const text = reader.page.locator('.article-text');
  await text.waitFor();
  await text
    .locator('img')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode());
  await reader.page.mouse.move(800, 500);
  await text.evaluate((element, top) => {
    let box: HTMLElement | null = element as HTMLElement;
    while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
    box?.scrollBy({ top, behavior: 'instant' });
  }, scrolled);
};

/** What is there before anybody has an account. */
export const before: readonly Screen[] = [
  {
    name: 'set-up',
    who: 'nobody',
    go: (reader, stage) =>
      page(new URL(stage.desk.setupLink).pathname + new URL(stage.desk.setupLink).search, 'form')(reader),
  },
];

export const screens: readonly Screen[] = [
  { name: 'sign-in', who: 'nobody', go: page('/sign-in', 'form') },
  { name: 'welcome', who: 'newcomer', go: page('/welcome', 'main form') },
  { name: 'reader', go: list('/?filter=all') },
  { name: 'reader-compact', look: { density: 'compact' }, go: list('/?filter=all') },
  { name: 'article', go: (reader, stage) => article(reader, stage, 0), after: openedAgain },
  { name: 'article-text', go: (reader, stage) => article(reader, stage, 1_040), after: openedAgain },
  {
    name: 'article-serif',
    look: { readingFont: 'serif', readingSize: 20 },
    go: (reader, stage) => article(reader, stage, 0),
    after: openedAgain,
  },
  { name: 'unread', go: list('/?filter=unread') },
  { name: 'starred', go: list('/?filter=starred') },
  {
    name: 'folder',
    go: (reader) => reader.demand('/api/folders').then(([first]) => list(`/folders/${first.id}`)(reader)),
  },
  {
    name: 'feed',
    go: (reader, stage) => list(feedPath(stage, stage.language === 'ja' ? 'kami-to-hangi' : 'paper-mill'))(reader),
  },
  {
    name: 'empty-starred',
    go: (reader, stage) => page(`${feedPath(stage, 'nagi-no-kishocho')}?filter=starred`, 'main p')(reader),
  },
  {
    name: 'empty-unread',
    go: (reader, stage) => page(`${feedPath(stage, 'karasudo')}?filter=unread`, 'main p')(reader),
  },
  { name: 'feed-failing', go: (reader, stage) => list(feedPath(stage, 'lighthouse-weekly'))(reader) },
  { name: 'feed-stopped', go: (reader, stage) => list(feedPath(stage, 'karasudo'))(reader) },
  {
    name: 'all-read',
    go: async (reader) => {
      await list('/?filter=all')(reader);
      await reader.page.locator('main header button:has(.lucide-check-check)').click();
      await reader.page.locator('section[popover] button').first().waitFor();
      await reader.page.mouse.move(640, 400);
    },
    after: async (reader) => {
      const undone = reader.page.waitForResponse(/\/api\/undo/);
      await reader.page.locator('section[popover] button').first().click();
      await undone;
    },
  },
  {
    name: 'sidebar',
    only: 'phone',
    go: async (reader) => {
      await list('/?filter=all')(reader);
      await reader.page.locator('main header button').first().click();
      await reader.page.locator('dialog[open] nav').waitFor();
    },
  },
  {
    name: 'feed-menu',
    only: 'wide',
    go: async (reader, stage) => {
      await list('/?filter=all')(reader);
      const row = reader.page.locator(`li:has(> a[href="${feedPath(stage, 'slow-software')}"])`);
      await row.hover();
      await row.locator('[aria-haspopup]').click();
    },
  },
  { name: 'add-feed', go: page('/?filter=all&add=', 'dialog[open] input') },
  {
    name: 'add-feed-looking',
    go: async (reader, stage) => {
      release = stage.sites.of('tides').hold();
      await page('/?filter=all&add=https://tides.example/feed.xml', 'dialog[open] [role=status]')(reader);
    },
    // What comes of it is in no picture.
    after: async (_reader, stage) => {
      stage.sites.of('tides').fail(404);
      release();
    },
  },
  { name: 'add-feed-candidates', go: page('/?filter=all&add=https://tides.example/', 'dialog[open] [type=checkbox]') },
  { name: 'add-feed-error', go: page('/?filter=all&add=https://tides.example/nothing', 'dialog[open] [role=alert]') },
  {
    name: 'feed-settings',
    go: (reader, stage) =>
      page(`/?filter=all&edit=${stage.subscriptions.get('slow-software')?.feed_id}`, 'dialog[open] form')(reader),
  },
  {
    name: 'feed-settings-stopped',
    go: (reader, stage) =>
      page(`/?filter=all&edit=${stage.subscriptions.get('karasudo')?.feed_id}`, 'dialog[open] form')(reader),
  },
  { name: 'search-start', go: page('/search', 'main input') },
  {
    name: 'search',
    go: (reader, stage) =>
      page(`/search?q=${encodeURIComponent(stage.language === 'ja' ? '紙' : 'paper')}`, 'main mark')(reader),
  },
  { name: 'search-nothing', go: page('/search?q=xylophone', 'main p') },
  {
    name: 'palette',
    go: async (reader, stage) => {
      await list('/?filter=all')(reader);
      await reader.page.keyboard.press('Control+k');
      await reader.page.locator('[role=combobox]').fill(stage.language === 'ja' ? '紙' : 'pa');
      await reader.page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    go: async (reader) => {
      await list('/?filter=all')(reader);
      await reader.page.keyboard.press('?');
      await reader.page.locator('dialog[open] dl').first().waitFor();
    },
  },
  settings('appearance'),
  settings('keyboard'),
  settings('feeds'),
  settings('account', 'main input'),
  settings('sign-in', 'main li'),
  settings('tokens', 'main li'),
  { name: 'health', go: page('/health', 'main figure svg') },
  {
    name: 'health-jobs',
    go: async (reader) => {
      await page('/health?range=week', 'main figure svg')(reader);
      await reader.page.locator('main h2').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'offline',
    go: async (reader) => {
      await list('/?filter=all')(reader);
      // Requests are answered beside the browser here, which would be a connection.
      await reader.context.route(/\/api\//, (route) => route.abort());
      await reader.context.setOffline(true);
      await reader.page.locator('.lucide-cloud-off').waitFor();
    },
    after: (reader) => reader.context.setOffline(false),
  },
  {
    name: 'loading',
    go: async (reader) => {
      await reader.context.route(/\/api\/items/, () => {});
      await page('/?filter=all', 'main [role=status] span[aria-hidden]')(reader);
    },
  },
  {
    name: 'error',
    go: async (reader) => {
      await reader.context.route(/\/api\/items/, (route) => route.abort());
      await page('/?filter=all', 'main [role=alert], main h2')(reader);
    },
  },
  { name: 'not-found', go: page('/nowhere/at/all', 'main h1') },
];
