/** Sites that can be added at once. */
export const MOST_ADDRESSES = 200;

/** The addresses of a pasted text, one on each line, each once. Those beyond the limit are only counted. */
export function parseAddresses(text: string): { addresses: string[]; tooMany: number } {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    // Lists are pasted with their signs.
    const address = line
      .trim()
      .replace(/^[-*•・]\s+/, '')
      .replace(/^<(.*)>$/, '$1');
    const key = keyOf(address);
    if (address && !found.has(key)) found.set(key, address);
  }
  const all = [...found.values()];
  return { addresses: all.slice(0, MOST_ADDRESSES), tooMany: Math.max(0, all.length - MOST_ADDRESSES) };
}

/** The same for two spellings of an address: with and without `https://` or the last slash. */
function keyOf(address: string): string {
  const whole = address.includes('://') ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole).href.replace(/\/$/, '') : address;
}
