import { restore } from './restore';

/**
 * What may be in an article: what the server lets through, and what it may let through one day. The server has taken everything
 * else out already; this is the second lock, and like the first it is a list of what is allowed, not of what is known to be bad.
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

/** An article's HTML for the page: nothing that acts, pictures over https and without telling from where, links in a new tab. */
export function prepare(html: string, heading: 'h2' | 'h3' = 'h3'): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const { body } = parsed.implementation.createHTMLDocument();
  copy(parsed.body, body);
  restore(body, heading);
  for (const table of body.querySelectorAll('table')) wrap(table);
  return body.innerHTML;
}

/**
 * Makes anew what is allowed: what an element has beside its attributes does not come along. Elements of SVG and MathML are
 * none of ours, whatever they are called.
 */
function copy(from: Element, to: Element): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? '');
    if (!(node instanceof Element) || node.namespaceURI !== XHTML || !ELEMENTS.has(node.localName)) continue;
    const made = to.ownerDocument.createElement(node.localName);
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

/** Whether it is one that may be shown. */
function picture(image: Element): boolean {
  const address = addressOf(image.getAttribute('src'), ['https:']);
  if (address === null) return false;
  image.setAttribute('src', address);
  image.setAttribute('loading', 'lazy');
  image.setAttribute('decoding', 'async');
  image.setAttribute('referrerpolicy', 'no-referrer');
  return true;
}

/** A whole address of one of these kinds, as browsers understand it; nothing that would be one only together with ours. */
function addressOf(text: string | null, protocols: readonly string[]): string | null {
  try {
    const url = new URL(text ?? '');
    return protocols.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
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
