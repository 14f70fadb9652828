// The same pages for everybody: on a phone, in a narrow window, enlarged, with more room between letters, in colours of the
// machine's choosing, without motion, with the focus in sight.

import { cutOff, expectAccessibleAsItIs, smallTargets, tabStops, tooWide } from '../support/accessibility.ts';
import type { Origin } from '../support/origin.ts';
import type { Reader } from '../support/reader.ts';
import { type Arrival, expect, PHONE, test } from '../support/story.ts';

// Every screen in turn takes its time on a machine that does other things too.
test.describe.configure({ timeout: 240_000 });

const STILL = { reducedMotion: 'reduce', serviceWorkers: 'block' } as const;

async function furnish(reader: Reader, origin: Origin) {
  const folder = await reader.addFolder('Papers');
  const gazette = await reader.subscribe(origin.feed({ title: 'Edo Gazette', icon: 'png' }), folder);
  await reader.subscribe(origin.feed({ title: '夜の天文台', language: 'ja' }));
  return gazette;
}

/** Pages by their address, and what is on them when they are there. */
const PAGES = [
  ['/?filter=all', '[data-item]'],
  ['/search?q=clocks', '[data-item]'],
  ['/welcome', 'fieldset'],
  ['/settings/appearance', 'main fieldset'],
  ['/settings/keyboard', '[role=switch]'],
  ['/settings/feeds', 'main button'],
  ['/settings/account', 'main input'],
  ['/settings/sign-in', 'main li'],
  ['/settings/tokens', 'main form'],
  ['/health', 'main fieldset'],
  ['/watch', 'main button'],
  ['/?filter=all&add=', 'dialog input'],
] as const;

/** Goes to each page in turn. */
async function visit(reader: Reader, look: (path: string) => Promise<void>) {
  for (const [path, mark] of PAGES) {
    await reader.open(path);
    await expect(reader.page.locator(mark).first()).toBeVisible();
    await expect(reader.page.locator('main, dialog').getByText('Loading')).toHaveCount(0);
    await look(path);
  }
  await reader.open('/?filter=all');
  await reader.rows.first().getByRole('link', { expanded: false }).click();
  await expect(reader.page.getByRole('article').getByRole('listitem').last()).toBeVisible();
  await look('an article');
}

/** A phone in Japanese, in the dark. */
async function onPhone(arrive: (arrival: Arrival) => Promise<Reader>, origin: Origin): Promise<Reader> {
  const reader = await arrive({ isOwner: true, browser: { ...PHONE, ...STILL, locale: 'ja-JP' } });
  await reader.prefer({ theme: 'dark' });
  await furnish(reader, origin);
  return reader;
}

test('on a phone', async ({ arrive, origin }) => {
  const reader = await onPhone(arrive, origin);
  const { page } = reader;
  await visit(reader, async (path) => {
    await expectAccessibleAsItIs(page, path);
    expect.soft(await tooWide(page), `${path}: too wide`).toEqual([]);
    expect.soft(await smallTargets(page), `${path}: too small for a finger`).toEqual([]);
  });
});

test('on a phone, the sidebar', async ({ arrive, origin }) => {
  const reader = await onPhone(arrive, origin);
  const { page } = reader;
  await reader.open('/?filter=all');
  await expect(reader.rows).not.toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'サイドバーを表示' }).click();
  const sheet = page.getByRole('dialog', { name: 'フィード' });
  await expect(sheet.getByRole('link', { name: 'Edo Gazette' })).toBeVisible();
  await expectAccessibleAsItIs(page, 'sidebar');
  expect.soft(await smallTargets(page), 'sidebar: too small for a finger').toEqual([]);
  await sheet.getByRole('button', { name: /Edo Gazette/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessibleAsItIs(page, 'menu');
  expect.soft(await smallTargets(page), 'menu: too small for a finger').toEqual([]);
  // What is said there can be answered there: a toast lies above the sheet, not behind it.
  await page.getByRole('menuitemradio', { name: 'フォルダーなし' }).click();
  await reader.toast('フォルダーから').getByRole('button', { name: '元に戻す' }).click();
  await expect(reader.toast('フォルダーから')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'サイドバーを隠す' }).click();
  await expect(sheet).toHaveCount(0);
});

test('320 pixels wide, enlarged twofold, and with more room in the text', async ({ arrive, origin }) => {
  const reader = await arrive({ isOwner: true, browser: STILL });
  const { page } = reader;
  await furnish(reader, origin);
  await visit(reader, async (path) => {
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft(await tooWide(page), `${path} at 320 pixels`).toEqual([]);
    // Half as many pixels, each twice as large: what zooming does to a window of 1280.
    await page.setViewportSize({ width: 640, height: 360 });
    expect.soft(await tooWide(page), `${path} at 200 %`).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.evaluate(() => {
      const spaced = new CSSStyleSheet();
      spaced.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      );
      document.adoptedStyleSheets = [spaced];
    });
    expect.soft(await cutOff(page), `${path} with more room in the text`).toEqual([]);
    expect.soft(await tooWide(page), `${path} with more room in the text`).toEqual([]);
  });
});

for (const forcedColors of ['none', 'active'] as const) {
  test(`the focus is seen wherever Tab goes, forced colours: ${forcedColors}`, async ({ arrive, origin }) => {
    const reader = await arrive({ isOwner: true, browser: { ...STILL, forcedColors } });
    const { page } = reader;
    await furnish(reader, origin);
    await visit(reader, async (path) => {
      const stops = await tabStops(page);
      expect.soft(stops.length, `${path}: stops`).toBeGreaterThan(3);
      const not = (what: 'isMarked' | 'hasName') => stops.filter((stop) => !stop[what]).map((stop) => stop.what);
      expect.soft(not('isMarked'), `${path}: the focus is not seen`).toEqual([]);
      expect.soft(not('hasName'), `${path}: no name`).toEqual([]);
      const hidden = stops.filter((stop) => stop.isHidden).map((stop) => stop.what);
      expect.soft(hidden, `${path}: something lies above the focus`).toEqual([]);
    });
  });
}

test('nothing moves where people want no motion', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  await furnish(reader, origin);
  await page.addInitScript(() => {
    for (const kind of ['animationstart', 'transitionstart'] as const) {
      document.addEventListener(kind, ({ target }) => {
        for (const one of (target as Element).getAnimations({ subtree: false })) {
          const { duration, iterations } = one.effect?.getComputedTiming() ?? {};
          if (Number(duration) > 1 || iterations === Number.POSITIVE_INFINITY) {
            document.documentElement.dataset.moved = (target as Element).outerHTML.slice(0, 120);
          }
        }
      });
    }
  });
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(16);
  await page.keyboard.press('j');
  await expect(page.getByRole('article')).toBeVisible();
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+A');
  await expect(reader.toast('marked as read')).toBeVisible();
  const slow = origin.feed({ title: 'Slow' });
  const release = slow.hold();
  await page.goto(`${reader.desk.url}/?filter=all&add=${encodeURIComponent(slow.url)}`);
  await expect(page.getByText('Looking for feeds')).toBeVisible();
  await expect(page.getByRole('dialog').locator('.animate-pulse, .animate-spin').first()).toBeVisible();
  const still = () => document.getAnimations().filter((one) => one.playState === 'running').length;
  await expect.poll(() => page.evaluate(still)).toBe(0);
  release();
  await expect(reader.toast('Added')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.moved)).toBeUndefined();
});
