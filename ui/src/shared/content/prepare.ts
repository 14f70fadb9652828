/** What has no business in an article. The server has taken it out already; this is the second lock. */
const FORBIDDEN =
  'script, style, link, meta, base, iframe, frame, object, embed, applet, form, input, button, textarea, select, template, dialog, svg, math, portal';

const ADDRESSES = new Set([
  'src',
  'href',
  'poster',
  'cite',
  'action',
  'formaction',
  'background',
  'xlink:href',
  'data',
]);

/** An article's HTML for the page: nothing that acts, pictures over https and without telling from where, links in a new tab. */
export function prepare(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll(FORBIDDEN)) element.remove();
  for (const element of body.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      const isUnwanted =
        name.startsWith('on') || name === 'style' || name === 'srcdoc' || name === 'id' || name === 'name';
      if (isUnwanted || (ADDRESSES.has(name) && !isAddress(value))) element.removeAttribute(name);
    }
    if (element instanceof HTMLImageElement || element.localName === 'img') picture(element);
    if (element.localName === 'a' && element.hasAttribute('href')) {
      element.setAttribute('target', '_blank');
      element.setAttribute('rel', 'noopener noreferrer');
    }
    if (element.localName === 'table') wrap(element);
  }
  return body.innerHTML;
}

function isAddress(value: string): boolean {
  return /^(https?:|mailto:)/i.test(value.trim());
}

function picture(image: Element) {
  image.removeAttribute('srcset');
  if (!/^https:/i.test(image.getAttribute('src')?.trim() ?? '')) {
    image.remove();
    return;
  }
  image.setAttribute('loading', 'lazy');
  image.setAttribute('decoding', 'async');
  image.setAttribute('referrerpolicy', 'no-referrer');
}

/** A wide table scrolls by itself, not the page. */
function wrap(table: Element) {
  const box = table.ownerDocument.createElement('div');
  box.className = 'article-table';
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

/** The language of a text as far as its setting depends on it: kana is Japanese, plain Latin letters are set as English. */
export function languageOf(text: string): 'ja' | 'en' | undefined {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja';
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return undefined;
  return letters.filter((letter) => letter < '\u0080').length / letters.length > 0.97 ? 'en' : undefined;
}
