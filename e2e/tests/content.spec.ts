// What feeds of others bring is text and nothing more: through the whole program, and even if the server let something through.

import type { BrowserContext, Page, Request } from '@playwright/test';
import { hostileTexts } from '../support/hostile.ts';
import { png } from '../support/icons.ts';
import type { Reader } from '../support/reader.ts';
import { expect, PHONE, test } from '../support/story.ts';

test.describe.configure({ timeout: 240_000 });

const texts = hostileTexts();
const titleOf = (at: number) => `Attempt ${String(at + 1).padStart(3, '0')}`;

/** All that happened that must not. */
type Harm = { ran: string[]; left: string[]; stopped: string[] };

/** Answers for the rest of the world, and remembers who asked it for what. */
async function watchFor(context: BrowserContext, page: Page, desk: string): Promise<Harm> {
  const harm: Harm = { ran: [], left: [], stopped: [] };
  const note = (what: string) => harm.ran.push(what);
  await page.exposeBinding('ran', () => note('ran()'));
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => note(`a window: ${popup.url()}`));
  await page.exposeBinding('stopped', (_, what: string) => harm.stopped.push(what));
  await page.addInitScript(() => {
    const { stopped } = window as unknown as { stopped: (what: string) => void };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      stopped(`${violatedDirective} ${blockedURI}`),
    );
  });
  await context.route(
    (url) => url.origin !== desk,
    async (route) => {
      if (!isPicture(route.request())) harm.left.push(`${route.request().resourceType()} ${route.request().url()}`);
      await route.fulfill({ status: 200, contentType: 'image/png', body: png(181, 50, 27) });
    },
  );
  return harm;
}

/** The one thing that an article may ask others for; and they are not told where it stands. */
function isPicture(request: Request): boolean {
  const isQuiet = request.headers().referer === undefined && request.headers().cookie === undefined;
  return request.resourceType() === 'image' && request.url().startsWith('https://') && isQuiet;
}

/** What an article may contain, and the buttons above its code. */
const ELEMENTS = (
  'p br hr wbr div span a img ul ol li dl dt dd blockquote pre code kbd samp var strong b em i u s del ins mark sub sup small q ' +
  'cite abbr dfn time bdi bdo h3 h4 h5 h6 table caption thead tbody tfoot tr th td figure figcaption details summary ruby rb rt ' +
  'rp button'
).split(' ');
const FORMULA = (
  'math mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts ' +
  'mprescripts none mtable mtr mtd mspace mi mo mn ms mtext'
).split(' ');
type Names = { elements: readonly string[]; formula: readonly string[] };

/** Goes through the article that is open and through the page around it; gives what should not be there. */
function inspect({ elements, formula }: Names): string[] {
  const wrong: string[] = [];
  const articles = [...document.querySelectorAll('.article-text')];
  if (articles.length !== 1) wrong.push(`${articles.length} articles`);
  for (const element of articles[0]?.querySelectorAll('*') ?? []) {
    const name = element.localName;
    if (element.namespaceURI === 'http://www.w3.org/1998/Math/MathML') {
      const isFine = (attribute: Attr) => attribute.name === 'alttext' || /^[\w.%-]{0,20}$/.test(attribute.value);
      if (!formula.includes(name) || ![...element.attributes].every(isFine)) wrong.push(element.outerHTML);
      continue;
    }
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml' || !elements.includes(name)) wrong.push(`<${name}>`);
    for (const { name: attribute, value } of element.attributes) {
      const isFine: Record<string, boolean> = {
        'a href': /^(https?:\/\/|mailto:|#article-)/.test(value),
        'a target': value === '_blank',
        'a rel': value === 'noopener noreferrer',
        'a class': value === 'article-film',
        'img src': value.startsWith('https://'),
        'img srcset': value.split(', ').every((one) => one.startsWith('https://')),
        'img sizes': true,
        'img alt': true,
        'img title': true,
        'img width': /^\d+$/.test(value),
        'img height': /^\d+$/.test(value),
        'img loading': value === 'lazy',
        'img decoding': value === 'async',
        'img referrerpolicy': value === 'no-referrer',
        'img tabindex': value === '0',
        'span class': /^(article-(caption|broken)|(hljs-\w+ ?)+)$/.test(value),
        'div class': /^article-(table|code|code-tools)$/.test(value),
        'div tabindex': value === '0',
        'pre class': /^language-[\w+#-]+$/.test(value),
        'pre tabindex': value === '0',
        'button type': value === 'button',
        'button aria-pressed': true,
        'td colspan': true,
        'td rowspan': true,
        'td class': value === 'is-number',
        'th colspan': true,
        'th rowspan': true,
        'th scope': true,
        'th class': value === 'is-number',
        'ol start': true,
        'ol reversed': true,
        'ol type': true,
        'li value': true,
        'li class': value === 'is-task',
        'abbr title': true,
        'dfn title': true,
        'time datetime': true,
        [`${name} id`]: value.startsWith('article-'),
        [`${name} lang`]: /^[\w-]+$/.test(value),
        [`${name} dir`]: /^(ltr|rtl|auto)$/.test(value),
        ...(/^h\d$/.test(name) && { [`${name} class`]: /^article-heading-[123]$/.test(value) }),
      };
      if (!isFine[`${name} ${attribute}`]) wrong.push(`<${name} ${attribute}="${value}">`);
    }
    const isOutside = name === 'a' && element.hasAttribute('href') && !element.getAttribute('href')?.startsWith('#');
    if (isOutside && !element.hasAttribute('rel')) wrong.push('a link without rel');
    if (name === 'img' && !element.hasAttribute('referrerpolicy')) wrong.push('a picture that tells where it is');
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'absolute' || position === 'sticky')
      wrong.push(`<${name}> is ${position}`);
  }
  if (document.querySelector('iframe, object, embed, form, base, meta[http-equiv]')) wrong.push('something that acts');
  if (document.querySelector('style, script:not([src]), #main #main, #root #root'))
    wrong.push('a style, script or page');
  if (typeof window.location.href !== 'string' || !(window.history instanceof History)) wrong.push('clobbered names');
  return wrong;
}

/** What is in the head of the page besides what changes: its title, its icon, and our own parts that were loaded later. */
function headOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const later = /<title>.*?<\/title>|icon(-unread)?\.svg|<link rel="modulepreload" as="script"[^>]*>/g;
    return document.head.innerHTML.replaceAll(`${location.origin}/`, '/').replace(later, '');
  });
}

/** Opens all of them, one after the other, as somebody who reads would. */
async function readAll(reader: Reader): Promise<void> {
  const { page } = reader;
  await reader.open('/?order=oldest');
  await expect(reader.rows.first()).toContainText(titleOf(0));
  const head = await headOf(page);
  for (let at = 0; at < texts.length; at += 1) {
    await page.keyboard.press('j');
    await expect(page.locator('.article-text')).toContainText(`text of ${titleOf(at)}`);
    expect(await page.evaluate(inspect, { elements: ELEMENTS, formula: FORMULA }), texts[at]).toEqual([]);
  }
  expect(await headOf(page)).toBe(head);
  expect(new URL(page.url()).origin).toBe(reader.desk.url);
}

test('nothing that a feed says is done', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { serviceWorkers: 'block' } });
  const feed = origin.feed({ title: 'Badger Post', items: 0 });
  const begun = Date.now();
  feed.publish(
    ...texts.map((html, at) => ({
      title: titleOf(at),
      html: `<p>text of ${titleOf(at)}</p>${html}`,
      at: new Date(begun - (texts.length - at) * 60_000),
    })),
  );
  await reader.subscribe(feed);
  const harm = await watchFor(reader.context, reader.page, reader.desk.url);
  await readAll(reader);
  expect(harm).toEqual({ ran: [], left: [], stopped: [] });
});

test('the page holds by itself, should the server let something through', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: { serviceWorkers: 'block' } });
  const feed = origin.feed({ title: 'Badger Post', items: 0 });
  const begun = Date.now();
  feed.publish(...texts.map((_, at) => ({ title: titleOf(at), at: new Date(begun - (texts.length - at) * 60_000) })));
  await reader.subscribe(feed);
  const harm = await watchFor(reader.context, reader.page, reader.desk.url);
  // Texts arrive one by one, or ahead with a whole page of a list.
  await reader.page.route(/\/api\/items(\/\d+$|\?.*include=content)/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const item of answer.items ?? [answer]) {
      const at = Number(item.title.split(' ')[1]) - 1;
      (item.details ?? item).content = `<p>text of ${titleOf(at)}</p>${texts[at]}`;
    }
    await route.fulfill({ response, json: answer });
  });
  // The policy speaks up already while such a text is taken apart, in a document that nobody sees.
  reader.watch.expect(/Content Security Policy/);
  await readAll(reader);
  expect(harm).toMatchObject({ ran: [], left: [] });
  // Texts that are fetched ahead may still be on their way.
  await reader.page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('long words, wide tables and right-to-left texts stay readable', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: PHONE });
  const { page } = reader;
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const row = (cell: string) =>
    `<tr>${Array.from({ length: 12 }, (_, at) => `<${cell}>Hauptbetriebswerk${at}</${cell}>`).join('')}</tr>`;
  const feed = origin.feed({ title: 'Edo Gazette', items: 0 });
  feed.publish({ title: long, html: `<table>${row('th')}${row('td')}</table>` });
  feed.publish({ title: 'خبر اليوم', html: '<p>هذا نص عربي.</p><ul><li>أول</li></ul><blockquote>اقتباس</blockquote>' });
  await reader.subscribe(feed);
  await reader.open('/?filter=all');
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await reader.rows.filter({ hasText: long }).getByRole('link', { expanded: false }).tap();
  await expect(page.getByRole('heading', { level: 1, name: long })).toBeVisible();
  expect(await width()).toBe(PHONE.viewport.width);
  const table = page.locator('.article-table');
  expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
  const heights = await table.locator('td').evaluateAll((found) => found.map((cell) => cell.clientHeight));
  expect(Math.max(...heights), 'a cell of one word has one line').toBeLessThan(60);

  await page.getByRole('button', { name: 'Back to list' }).tap();
  await reader.rows.filter({ hasText: 'خبر' }).getByRole('link', { expanded: false }).tap();
  const sides = await page.locator('.article-text').evaluate((text) => {
    const style = (name: string) => getComputedStyle(text.querySelector(name)!);
    return [style('ul').paddingRight, style('blockquote').borderRightWidth, style('blockquote').borderLeftWidth];
  });
  expect(sides[0]).not.toBe('0px');
  expect(sides.slice(1)).toEqual(['3px', '0px']);
});

test('text never becomes markup of the page, whoever writes it there', async ({ reader }) => {
  reader.watch.expect(/Trusted/);
  await reader.open('/?filter=all');
  const outcome = await reader.page.evaluate(() => {
    try {
      document.body.innerHTML = '<p>markup</p>';
      return 'written';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(outcome).toBe('TypeError');
});
