/** A longer strong paragraph is emphasised text, not a heading. */
const LONGEST_HEADING = 120;

/**
 * The server lets few tags through and writes the rest as paragraphs: a heading as a strong paragraph, a caption as an emphasised
 * one below its picture, a table row with bars between its cells, a video as a link. This restores their elements.
 */
export function restore(body: ParentNode & Node, heading: 'h2' | 'h3'): void {
  for (const paragraph of body.querySelectorAll('p')) {
    // Already part of a table.
    if (!body.contains(paragraph)) continue;
    const only = onlyChild(paragraph);
    if (only?.localName === 'em') caption(paragraph, only);
    else if (only?.localName === 'strong') title(paragraph, only, heading);
    else if (headCells(paragraph)) table(paragraph);
  }
  for (const link of body.querySelectorAll('a')) {
    if (link.textContent.startsWith('▶ ')) link.className = 'article-film';
  }
}

function title(paragraph: Element, strong: Element, name: 'h2' | 'h3'): void {
  const { length } = strong.textContent.trim();
  if (length === 0 || length > LONGEST_HEADING || !paragraph.nextElementSibling || strong.querySelector('img')) return;
  const heading = paragraph.ownerDocument.createElement(name);
  heading.append(...strong.childNodes);
  paragraph.replaceWith(heading);
}

function caption(paragraph: Element, words: Element): void {
  const picture = paragraph.previousElementSibling;
  const image = picture?.localName === 'p' ? onlyChild(picture) : null;
  if (!picture || !image || !(image.localName === 'img' || onlyChild(image)?.localName === 'img')) return;
  const figure = paragraph.ownerDocument.createElement('figure');
  const text = paragraph.ownerDocument.createElement('figcaption');
  text.append(...words.childNodes);
  picture.replaceWith(figure);
  figure.append(image, text);
  paragraph.remove();
}

/** Rows follow their head as long as they have as many cells. */
function table(head: Element): void {
  const { ownerDocument: document } = head;
  const made = document.createElement('table');
  const width = cellsOf(head).length;
  const rows = [head];
  for (let next = head.nextElementSibling; next?.localName === 'p'; next = next.nextElementSibling) {
    if (cellsOf(next).length !== width) break;
    rows.push(next);
  }
  if (rows.length === 1) return;
  for (const row of rows) {
    const line = made.insertRow();
    for (const cell of cellsOf(row)) {
      const box = document.createElement(row === head ? 'th' : 'td');
      box.append(...(row === head ? cell.flatMap((node) => [...node.childNodes]) : cell));
      line.append(box);
    }
  }
  head.replaceWith(made);
  for (const row of rows.slice(1)) row.remove();
}

/** True for the head of a table: strong words with bars between them, and nothing else. */
function headCells(paragraph: Element): boolean {
  const cells = cellsOf(paragraph);
  return cells.length > 1 && cells.every((cell) => cell.length === 1 && cell[0]?.nodeName === 'STRONG');
}

/** The nodes between the bars. */
function cellsOf(paragraph: Element): Node[][] {
  const cells: Node[][] = [[]];
  for (const node of [...paragraph.childNodes]) {
    const parts = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').split(' | ') : [node];
    parts.forEach((part, at) => {
      if (at > 0) cells.push([]);
      const content = typeof part === 'string' ? paragraph.ownerDocument.createTextNode(part) : part;
      if (content.textContent || content.nodeName === 'IMG') cells.at(-1)?.push(content);
    });
  }
  return cells;
}

/** The only child, if it is an element. */
function onlyChild(element: Element): Element | null {
  const nodes = [...element.childNodes].filter((node) => node.nodeName !== '#text' || node.textContent?.trim());
  return nodes.length === 1 ? element.firstElementChild : null;
}
