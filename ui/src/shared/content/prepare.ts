import { parseHtml } from '../lib/trusted';
import { restore } from './restore';

/**
 * The elements that an article may contain: more than the server lets through today. The server has removed everything else
 * already; this is a second, independent list.
 */
const ELEMENTS = new Set(
  (
    'p br hr a img ul ol li dl dt dd blockquote pre code kbd samp strong b em i s del ins mark sub sup small q cite abbr ' +
    'h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot tr th td figure figcaption ruby rt rp'
  ).split(' '),
);
const ATTRIBUTES = new Map([
  ['a', ['href']],
  ['img', ['src', 'alt', 'title', 'width', 'height']],
  ['td', ['colspan', 'rowspan']],
  ['th', ['colspan', 'rowspan']],
  ['ol', ['start']],
]);

/**
 * An article's HTML as nodes for the page: nothing that acts, images only over https and without a referrer, links in a new tab.
 * The nodes belong to an inert document until they are put into the page, so that images load with all their attributes.
 */
export function prepare(html: string, heading: 'h2' | 'h3' = 'h3'): DocumentFragment {
  const parsed = parseHtml(html);
  const made = parsed.createDocumentFragment();
  copy(parsed.body, made);
  restore(made, heading);
  for (const table of made.querySelectorAll('table')) wrap(table);
  return made;
}

/**
 * Creates the allowed elements anew, so that nothing but the allowed attributes comes along. Elements of SVG and MathML are
 * dropped, whatever their name.
 */
function copy(from: Element, to: ParentNode & Node): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? '');
    if (!(node instanceof Element) || node.namespaceURI !== XHTML || !ELEMENTS.has(node.localName)) continue;
    const made = from.ownerDocument.createElement(node.localName);
    for (const name of ATTRIBUTES.get(node.localName) ?? []) {
      const value = node.getAttribute(name);
      if (value !== null) made.setAttribute(name, value);
    }
    if (made.localName === 'img' && !picture(made)) continue;
    if (made.localName === 'a') link(made);
    to.append(made);
    copy(node, made);
  }
}

const XHTML = 'http://www.w3.org/1999/xhtml';

function link(anchor: Element): void {
  const address = addressOf(anchor.getAttribute('href'), ['http:', 'https:', 'mailto:']);
  anchor.removeAttribute('href');
  if (address === null) return;
  anchor.setAttribute('href', address);
  anchor.setAttribute('target', '_blank');
  anchor.setAttribute('rel', 'noopener noreferrer');
}

/** Prepares an image; false if it must not be shown. */
function picture(image: Element): boolean {
  const address = addressOf(image.getAttribute('src'), ['https:']);
  if (address === null) return false;
  image.setAttribute('src', address);
  image.setAttribute('loading', 'lazy');
  image.setAttribute('decoding', 'async');
  image.setAttribute('referrerpolicy', 'no-referrer');
  return true;
}

/** The normalised address if it is absolute and has one of these protocols. */
function addressOf(text: string | null, protocols: readonly string[]): string | null {
  try {
    const url = new URL(text ?? '');
    return protocols.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** A wide table scrolls sideways inside a box. */
function wrap(table: Element) {
  const box = table.ownerDocument.createElement('div');
  box.className = 'article-table';
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

/** The language for typesetting: text with kana is Japanese, text in plain Latin letters is English. */
export function languageOf(text: string): 'ja' | 'en' | undefined {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja';
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return undefined;
  return letters.filter((letter) => letter < '\u0080').length / letters.length > 0.97 ? 'en' : undefined;
}

/** The direction of a text: that of its first letter, as browsers decide with `dir="auto"`. */
export function directionOf(text: string): 'rtl' | 'ltr' {
  const letter = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : 'ltr';
}
