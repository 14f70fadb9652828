import { useMemo } from 'react';
import { markTerms } from './mark-terms';

/** A text with the terms of the search marked in it. */
export function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  const pieces = useMemo(() => markTerms(text, terms), [text, terms]);
  return pieces.map((piece, at) =>
    piece.isHit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
      <mark key={at} className="rounded-xs bg-accent-soft text-ink">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
