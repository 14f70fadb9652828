import { parseHtml } from '../lib/trusted';

const words = (text: string) => new Set(text.split(' '));

/**
 * What an article may contain. The server has removed everything else already (docs/adr/0021-what-articles-may-contain.md);
 * this is a second, independent list.
 */
const ELEMENTS = words(
  'p br hr wbr div span a img ul ol li dl dt dd blockquote pre code kbd samp var strong b em i u s del ins mark sub sup small q ' +
    'cite abbr dfn time bdi bdo h2 h3 h4 h5 h6 table caption thead tbody tfoot tr th td figure figcaption details summary ' +
    'ruby rb rt rp',
);
const FORMULA = words(
  'math mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts ' +
    'mprescripts none mtable mtr mtd mspace mi mo mn ms mtext',
);
const FORMULA_ATTRIBUTES =
  'alttext accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace mathvariant ' +
  'maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width';
const ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  img: 'src srcset sizes alt title width height',
  td: 'colspan rowspan',
  th: 'colspan rowspan scope',
  ol: 'start reversed type',
  li: 'value',
  abbr: 'title',
  dfn: 'title',
  time: 'datetime',
  pre: 'class',
};
/** Before each id and each link to a place in the article. */
const PLACE = 'article-';
const XHTML = 'http://www.w3.org/1999/xhtml';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/**
 * An article's HTML as nodes for the page: nothing that acts, images only over https and without a referrer, links to other pages
 * in a new tab. The nodes belong to an inert document until they are put into the page, so that images load with all their
 * attributes. `level` is that of the title above.
 */
export function prepare(html: string, level: 1 | 2 = 2): DocumentFragment {
  const parsed = parseHtml(html);
  const made = parsed.createDocumentFragment();
  copy(parsed.body, made, level);
  for (const mark of made.querySelectorAll(':is(h2, h3, h4, h5, h6) a')) {
    // A link to the heading beside it.
    if (/^[#¶§🔗\s]+$/u.test(mark.textContent)) mark.remove();
  }
  for (const film of made.querySelectorAll('a')) {
    if (film.textContent.startsWith('▶ ')) film.className = 'article-film';
  }
  for (const task of made.querySelectorAll('li')) {
    if (/^\s*[☐☑] /.test(task.textContent)) task.className = 'is-task';
  }
  for (const image of made.querySelectorAll('img')) describe(image);
  for (const table of made.querySelectorAll('table')) wrap(table);
  return made;
}

/** Creates the allowed elements anew, so that nothing but the allowed attributes comes along. */
function copy(from: Element, to: ParentNode & Node, level: 1 | 2): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? '');
    const made = node instanceof Element && create(node, level);
    if (!made) continue;
    to.append(made);
    copy(node as Element, made, level);
  }
}

/** The same element with its allowed attributes; null if it is not allowed. */
function create(element: Element, level: 1 | 2): Element | null {
  const { localName: name, ownerDocument: document } = element;
  if (element.namespaceURI === MATHML && FORMULA.has(name)) {
    return take(element, document.createElementNS(MATHML, name), FORMULA_ATTRIBUTES);
  }
  if (element.namespaceURI !== XHTML || !ELEMENTS.has(name)) return null;
  const depth = /^h\d$/.test(name) ? Number(name[1]) : 0;
  const made = document.createElement(depth > 0 ? `h${Math.min(depth + level - 1, 6)}` : name);
  if (depth > 0) made.className = `article-heading-${Math.min(depth - 1, 3)}`;
  take(element, made, `lang dir ${ATTRIBUTES[name] ?? ''}`);
  if (element.id.startsWith(PLACE)) made.id = element.id;
  if (name === 'a') link(made);
  if (name === 'pre' && !/^language-[\w+#-]+$/.test(made.className)) made.removeAttribute('class');
  return name !== 'img' || picture(made) ? made : null;
}

function take(from: Element, to: Element, names: string): Element {
  for (const name of names.split(' ')) {
    const value = name && from.getAttribute(name);
    if (typeof value === 'string' && from.hasAttribute(name)) to.setAttribute(name, value);
  }
  return to;
}

function link(anchor: Element): void {
  const href = anchor.getAttribute('href') ?? '';
  if (href.startsWith(`#${PLACE}`)) return;
  anchor.removeAttribute('href');
  const address = addressOf(href, ['http:', 'https:', 'mailto:']);
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
  const others = image.getAttribute('srcset')?.split(', ') ?? [];
  if (!others.every((other) => addressOf(other.split(' ')[0] ?? '', ['https:']))) image.removeAttribute('srcset');
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

/** Its title becomes its caption. One that is no link can be enlarged, also with the keyboard. */
function describe(image: HTMLImageElement): void {
  if (!image.closest('a[href]')) image.tabIndex = 0;
  if (!image.title || image.title === image.alt || image.closest('figure')?.querySelector('figcaption')) return;
  const caption = image.ownerDocument.createElement('span');
  caption.className = 'article-caption';
  caption.textContent = image.title;
  image.after(caption);
}

/** `1,234.5`, `−12 %`, `¥ 300`, `12 km`: a number, perhaps with a unit. */
const NUMBER = /^[+−\-±~≈]?\s?\p{Sc}?\s?\d[\d.,'’\u00a0\u202f ]*\s?(%|‰|°C|\p{Sc}|[A-Za-zµ]{1,3})?$/u;

/** A wide table scrolls sideways inside a box. Columns of numbers are aligned at their end. */
function wrap(table: HTMLTableElement): void {
  const box = table.ownerDocument.createElement('div');
  box.className = 'article-table';
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
  if (table.querySelector('[colspan], [rowspan]')) return;
  const rows = [...table.rows];
  const columns = Math.max(0, ...rows.map((row) => row.cells.length));
  for (let column = 0; column < columns; column += 1) {
    const cells = rows.flatMap((row) => row.cells[column] ?? []);
    const texts = cells.filter((cell) => cell.localName === 'td' && cell.textContent.trim() !== '');
    if (texts.length === 0 || !texts.every((cell) => NUMBER.test(cell.textContent.trim()))) continue;
    for (const cell of cells) cell.classList.add('is-number');
  }
}

/** The language for typesetting: text with kana is Japanese, unless most of it is not; text in plain Latin letters is English. */
export function languageOf(text: string): 'ja' | 'en' | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return undefined;
  const share = (kind: RegExp) => letters.filter((letter) => kind.test(letter)).length / letters.length;
  if (/[\u3040-\u30ff]/.test(text) && share(/[\u3040-\u30ff\u4e00-\u9fff]/) > 0.2) return 'ja';
  return share(/[A-Za-z]/) > 0.97 ? 'en' : undefined;
}

/** The direction of a text: that of its first letter, as browsers decide with `dir="auto"`. */
export function directionOf(text: string): 'rtl' | 'ltr' {
  const letter = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : 'ltr';
}
