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
    expect(prepare('<p>One <em>two</em></p><h2>Three</h2>')).toBe('<p>One <em>two</em></p><h2>Three</h2>');
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
    '<math><mi>x</mi></math>',
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
