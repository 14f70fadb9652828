// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { directionOf, languageOf, prepare as prepared } from './prepare';

function prepare(html: string): string {
  const box = document.createElement('div');
  box.append(prepared(html));
  return box.innerHTML;
}

describe('an article’s HTML', () => {
  it('keeps what is text', () => {
    const text =
      '<p>H<sub>2</sub>O <del>1</del> <ruby>漢<rt>かん</rt></ruby></p><details><summary>s</summary>t</details>';
    expect(prepare(text)).toBe(text);
  });

  it('puts headings below the title, in three sizes', () => {
    expect(prepare('<h2>a</h2><h6>b</h6>')).toBe(
      '<h3 class="article-heading-1">a</h3><h6 class="article-heading-3">b</h6>',
    );
    expect(prepared('<h2>a</h2>', 1).firstElementChild?.localName).toBe('h2');
    expect(prepared('<h2>a <a href="#article-a">#</a></h2>').textContent).toBe('a ');
  });

  it('keeps formulas, without what acts in them', () => {
    expect(
      prepare('<math alttext="x" href="javascript:a"><mi style="x" xlink:href="y">x</mi><maction>z</maction></math>'),
    ).toBe('<math alttext="x"><mi>x</mi></math>');
  });

  it('keeps places in the article, and links to them', () => {
    const text = '<p id="article-n">x <a href="#article-n">y</a></p>';
    expect(prepare(text)).toBe(text);
    expect(prepare('<p id="root">x <a href="#root">y</a></p>')).toBe('<p>x <a>y</a></p>');
  });

  it('aligns columns of numbers', () => {
    const table = prepared(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1,000 km</td><td>1 of 2</td></tr></tbody></table>',
    );
    const aligned = [...table.querySelectorAll('.is-number')].map((cell) => cell.textContent);
    expect(aligned).toEqual(['a', '1,000 km']);
  });

  it('shows the title of a picture below it', () => {
    expect(prepared('<img src="https://example.com/a.png" title="t">').textContent).toBe('t');
    expect(
      prepared('<figure><img src="https://example.com/a.png" title="t"><figcaption>c</figcaption></figure>')
        .textContent,
    ).toBe('c');
  });

  it.each([
    '<script>alert(1)</script>',
    '<iframe src="https://example.com"></iframe>',
    '<svg onload="alert(1)"></svg>',
    '<form action="https://example.com"><input></form>',
    '<style>p{}</style>',
    '<img src="http://example.com/a.png">',
    '<img src="data:image/png;base64,AA==">',
    '<img src="x" onerror="alert(1)">',
    '<svg><math></math></svg>',
    '<svg><a href="https://example.com/">x</a></svg>',
    '<template><p>x</p></template>',
    '<made-up>x</made-up>',
    '<!-- x -->',
  ])('drops %s', (html) => {
    expect(prepare(html)).toBe('');
  });

  it('takes away what acts, styles or names', () => {
    expect(prepare('<p class="fixed inset-0" slot="x" popover tabindex="0" is="x-y">x</p>')).toBe('<p>x</p>');
    expect(prepare('<a href="https://example.com/" ping="https://example.com/" download>x</a>')).not.toMatch(
      /ping|download/,
    );
    expect(prepare('<p onclick="a()" style="color:red" id="main">x</p>')).toBe('<p>x</p>');
    expect(prepare('<a href="javascript:alert(1)">x</a>')).toBe('<a>x</a>');
    expect(prepare('<a href=" JavaScript:alert(1)">x</a>')).toBe('<a>x</a>');
  });

  it('opens links elsewhere, without telling from where', () => {
    expect(prepare('<a href="https://example.com/">x</a>')).toBe(
      '<a href="https://example.com/" target="_blank" rel="noopener noreferrer">x</a>',
    );
  });

  it('loads pictures late and without a referrer', () => {
    const image = prepared('<img src="https://example.com/a.png" srcset="http://x/b.png 2x" alt="A">').querySelector(
      'img',
    );
    expect(image?.getAttribute('loading')).toBe('lazy');
    expect(image?.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(image?.hasAttribute('srcset')).toBe(false);
    const set =
      '<img src="https://example.com/a.png" srcset="https://example.com/b.png 2x, https://example.com/c.png 3x">';
    expect(prepared(set).querySelector('img')?.srcset).toContain('b.png 2x, https');
    expect(image?.alt).toBe('A');
  });

  it('loads nothing before it is in the page', () => {
    expect(prepared('<img src="https://example.com/a.png">').ownerDocument.defaultView).toBeNull();
  });

  it('lets wide tables scroll by themselves', () => {
    expect(prepare('<table><tbody><tr><td>1</td></tr></tbody></table>')).toContain('<div class="article-table"');
  });
});

it.each([
  ['活字を拾うという仕事', 'ja'],
  ['React 19 の新機能', 'ja'],
  ['The word かわら版 means a news sheet, printed from a block of wood or clay', undefined],
  ['On reading slowly — again', 'en'],
  ['Über die Größe schöner Bücher', undefined],
  ['12:30', undefined],
])('%s is set as %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

it.each([
  ['شرح البرمجة', 'rtl'],
  ['“2026” — סקירה', 'rtl'],
  ['Rust ושפות אחרות', 'ltr'],
  ['活字', 'ltr'],
  ['12:30', 'ltr'],
])('%s runs %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});
