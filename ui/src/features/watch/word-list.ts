/** The words of a field: separated by commas, also Japanese ones, or new lines. Each is kept once. */
export function parseWords(text: string): string[] {
  const words = text
    .split(/[,，、\n]/)
    .map((word) => word.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
  const seen = new Set<string>();
  return words.filter((word) => {
    const key = word.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

/** The text of the field for these words. */
export const wordsText = (words: readonly string[]): string => words.join('\n');
