// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { restore } from './restore';

function restored(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  restore(body, 'h3');
  return body.innerHTML;
}

describe('what the server wrote as paragraphs', () => {
  it('is a heading again where it is strong and alone', () => {
    expect(restored('<p><strong>A <em>queue</em></strong></p><p>Text</p>')).toBe(
      '<h3>A <em>queue</em></h3><p>Text</p>',
    );
  });

  it.each([
    '<p><strong>Note:</strong> text</p><p>Text</p>',
    '<p>Text</p><p><strong>The last words</strong></p>',
    `<p><strong>${'Loud. '.repeat(30)}</strong></p><p>Text</p>`,
    '<p><em>Whispered</em></p><p>Text</p>',
    '<p><strong>a</strong> | <strong>b</strong></p><p>no row</p>',
    '<p>1 | 2</p><p>3 | 4</p>',
  ])('stays what it is otherwise: %s', (html) => {
    expect(restored(html)).toBe(html);
  });

  it('is a caption again below a picture', () => {
    expect(restored('<p><img src="a.png"></p><p><em>A mill</em></p><p>Text</p>')).toBe(
      '<figure><img src="a.png"><figcaption>A mill</figcaption></figure><p>Text</p>',
    );
  });

  it('is a film again', () => {
    expect(restored('<p><a href="x">▶ YouTube</a></p>')).toBe('<p><a href="x" class="article-film">▶ YouTube</a></p>');
  });

  it('is a table again, with what is in its cells', () => {
    const html = '<p><strong>a</strong> | <strong>b</strong></p><p>1 | <a href="x">2</a></p><p>| 4</p><p>Text</p>';
    expect(restored(html)).toBe(
      '<table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><a href="x">2</a></td></tr></tbody></table><p>| 4</p><p>Text</p>',
    );
  });
});
