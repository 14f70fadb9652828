import { expect, test } from 'vitest';
import { markTerms } from './mark-terms';

const marked = (text: string, ...terms: string[]) =>
  markTerms(text, terms)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('');

test('case, width and accents do not matter', () => {
  expect(marked('Rust is RUST, ｒｕｓｔ too', 'rust')).toBe('[Rust] is [RUST], [ｒｕｓｔ] too');
  expect(marked('The Café at noon', 'cafe')).toBe('The [Café] at noon');
  expect(marked('ﾆｭｰｽ と ニュース', 'ニュース')).toBe('[ﾆｭｰｽ] と [ニュース]');
});

test('Latin words are marked by their beginnings, Japanese wherever it stands', () => {
  expect(marked('art, article, smart art', 'art')).toBe('[art], [art]icle, smart [art]');
  expect(marked('go, good, a go', 'go')).toBe('[go], good, a [go]');
  expect(marked('borrow checker', 'borrow che')).toBe('[borrow che]cker');
  expect(marked('東京都の天気', '京都')).toBe('東[京都]の天気');
  expect(marked('かき と がき', 'かき')).toBe('[かき] と がき');
});

test('the longest of several counts, and nothing is lost', () => {
  expect(marked('borrow checker and borrow', 'borrow', 'borrow checker')).toBe('[borrow checker] and [borrow]');
  expect(marked('ﬁne 👍🏽 day', 'day')).toBe('ﬁne 👍🏽 [day]');
  expect(marked('nothing here', 'x', '')).toBe('nothing here');
  expect(markTerms('', ['a'])).toEqual([]);
});
