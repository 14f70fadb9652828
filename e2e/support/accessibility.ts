// What can be measured about how a page is for people who do not see it, do not see it well, or do not use a mouse.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** WCAG 2.0 to 2.2, A and AA, and what axe takes for good practice. No rule is left out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** axe finds nothing, in either theme; and the page says what it is, in the language that it is in. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await expectAccessibleAsItIs(page, where);
  // Only colours depend on the theme.
  await setTheme(page, 'dark');
  expect.soft(await found(axe(page).withRules('color-contrast')), `${where}, dark`).toEqual([]);
  await setTheme(page, 'light');
}

/** The same, in the theme that the page has. */
export async function expectAccessibleAsItIs(page: Page, where: string): Promise<void> {
  await expect.soft(page, `${where}: title`).toHaveTitle(/^(\(\d+\) )?\S.* · Kawaraban$/);
  expect.soft(await wrongStructure(page), `${where}: structure`).toEqual([]);
  expect.soft(await found(axe(page).withTags(TAGS)), where).toEqual([]);
}

/** Legacy mode: there are no frames, for which it would otherwise open a page of its own. */
const axe = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

async function found(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (theme) => {
    document.documentElement.dataset.theme = theme;
    await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
  }, theme);
}

/** One main part, one first heading, and no heading beyond that which leaves a level out. */
function wrongStructure(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]');
    const all = (what: string) => [...document.querySelectorAll(what)].filter(isSeen);
    const isOne = (what: string) => (all(what).length === 1 ? [] : [`${all(what).length} × ${what}`]);
    const { lang } = document.documentElement;
    return [...isOne('main'), ...isOne('h1'), ...(/^(en|ja)$/.test(lang) ? [] : [`lang=${lang}`])];
  });
}

/** What is wider than the window, so that one would have to scroll in two directions to read. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isScrolledByItself = (one: Element) => {
      for (let box: Element | null = one; box; box = box.parentElement) {
        if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(box).overflowX))
          return box !== document.body;
      }
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 0 && box.right > width + 1 && one.checkVisibility() && !isScrolledByItself(one);
    });
    const scrolls =
      document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : [];
    return [...scrolls, ...wide.map((one) => one.outerHTML.slice(0, 120))];
  });
}

/** Text that is cut off: a box that hides what overflows it, and no dots to say so. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const bad = [...document.querySelectorAll<HTMLElement>('main *, nav *, dialog[open] *')].filter((one) => {
      const style = getComputedStyle(one);
      if (!one.checkVisibility() || one.clientHeight <= 1 || !one.textContent?.trim()) return false;
      const hides = ['hidden', 'clip'].includes(style.overflowY) || /strict|content|paint/.test(style.contain);
      const isMeant = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      return hides && !isMeant && one.scrollHeight > one.clientHeight + 2;
    });
    return bad.map((one) => one.outerHTML.slice(0, 160));
  });
}

/** Somewhere that Tab leads to. */
export type Stop = { what: string; isMarked: boolean; isHidden: boolean; hasName: boolean };

/** Goes through the page with Tab, from its beginning until it comes round. */
export async function tabStops(page: Page): Promise<Stop[]> {
  // Tab goes on from where something was that had the focus.
  await page.evaluate(() => {
    const start = document.createElement('button');
    (document.querySelector('dialog:modal') ?? document.body).prepend(start);
    start.focus();
    start.remove();
  });
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(stopHere);
    if (!stop) return stops;
    stops.push(stop);
    expect(stops.length, 'Tab does not come round').toBeLessThan(200);
  }
}

/** What has the focus, and whether that can be seen; nothing at the end of the page, or where one has been already. */
async function stopHere(): Promise<Stop | null> {
  const here = document.activeElement as HTMLElement | null;
  if (!here || here === document.body || here.hasAttribute('data-walked')) return null;
  here.setAttribute('data-walked', '');
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
  const isSeen = (colour: string) => !/^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
  const hasOutline = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2 && isSeen(style.outlineColor);
  const around = here.closest('label') ?? here;
  const row = here.closest('header');
  const styles = [here, around].flatMap((one) =>
    [undefined, '::after', '::before'].map((part) => getComputedStyle(one, part)),
  );
  const isInLine = here.localName === 'input' && row !== null && getComputedStyle(row).boxShadow.includes('inset');
  const isMarked = styles.some(hasOutline) || isInLine;

  const box = around.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const isHidden = !top || !(around.contains(top) || top.contains(around));
  const name =
    here.getAttribute('aria-label') ?? (around.textContent || here.getAttribute('placeholder') || here.title);
  const what = `${here.localName} ${name.trim().slice(0, 60)}`;
  return { what, isMarked, isHidden, hasName: name.trim() !== '' || here.hasAttribute('id') };
}

/** Controls that a finger misses: less than 44 pixels in a direction in which something else begins. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const REACH = 21;
    const controls = [
      ...document.querySelectorAll<HTMLElement>('button, [role^=menuitem], select, nav a, label:has(input)'),
    ];
    const isMissed = (one: HTMLElement) => {
      const box = one.getBoundingClientRect();
      const isInView = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || !isInView) return false;
      if (one.closest('[inert]') || (document.querySelector('dialog:modal') && !one.closest('dialog'))) return false;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const middle = document.elementFromPoint(x, y);
      if (!middle || !one.contains(middle)) return false;
      return [-REACH, REACH].some((by) => {
        const other = document.elementFromPoint(x, y + by)?.closest('button, a, select, label, [role^=menuitem]');
        return other !== one && !one.contains(other ?? null) && (other !== null || box.height < 44);
      });
    };
    return controls.filter(isMissed).map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return `${Math.round(width)}×${Math.round(height)} ${one.getAttribute('aria-label') ?? one.textContent}`;
    });
  });
}
