/** Latin accents only: the marks of kana are other characters, not accents. */
const ACCENTS = /[\u0300-\u036f]/g;

/** A text for comparisons without regard to case, width and accents. */
export const fold = (text: string): string => text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
