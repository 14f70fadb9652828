import { fold } from '@/shared/lib/fold';

/** A piece of a text, and whether it matches a term. */
export type Piece = { text: string; isHit: boolean };

const WORD = /[\p{Script=Latin}\p{N}]/u;
/** The search finds a Latin word by its beginning from this many letters on. */
const BEGINNING = 3;

/**
 * Splits a text at the terms of a search, ignoring case, width and accents. Like the search, it matches the beginning of Latin
 * words, but short terms only match whole words.
 */
export function markTerms(text: string, terms: readonly string[]): Piece[] {
  const wanted = terms.map(fold).filter((term) => term !== '');
  const { folded, places } = foldWithPlaces(text);
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < folded.length; ) {
    const length = longestAt(folded, at, wanted);
    const [begin, end] = [places[at] ?? 0, places[at + length] ?? text.length];
    if (length === 0 || begin < from || end <= begin) {
      at += 1;
      continue;
    }
    if (begin > from) pieces.push({ text: text.slice(from, begin), isHit: false });
    pieces.push({ text: text.slice(begin, end), isHit: true });
    from = end;
    at += length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHit: false });
  return pieces;
}

/** The folded text, and the position in the text that each of its units comes from. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let [folded, at] = ['', 0];
  const places: number[] = [];
  for (const character of text) {
    const plain = fold(character);
    for (let unit = 0; unit < plain.length; unit++) places.push(at);
    folded += plain;
    at += character.length;
  }
  return { folded, places };
}

function longestAt(folded: string, at: number, terms: readonly string[]): number {
  let longest = 0;
  for (const term of terms) {
    if (term.length <= longest || !folded.startsWith(term, at)) continue;
    const isBeginning = lastWord(term).length >= BEGINNING;
    if (isCut(folded, at) || (!isBeginning && isCut(folded, at + term.length))) continue;
    longest = term.length;
  }
  return longest;
}

function lastWord(term: string): string {
  return term.slice(term.lastIndexOf(' ') + 1);
}

/** Whether this position is inside a Latin word or a number. */
function isCut(folded: string, at: number): boolean {
  return WORD.test(folded[at - 1] ?? '') && WORD.test(folded[at] ?? '');
}
