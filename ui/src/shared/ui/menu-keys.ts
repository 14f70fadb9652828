type Item = { textContent: string | null; focus: () => void };

/** The item that a key moves to: arrows, Home, End, or the next item that begins with a letter. Undefined for other keys. */
export function itemToFocus<T extends Item>(key: string, items: readonly T[], current: T | undefined): T | undefined {
  const at = current ? items.indexOf(current) : -1;
  const last = items.length - 1;
  switch (key) {
    case 'ArrowDown':
      return items[at >= last ? 0 : at + 1];
    case 'ArrowUp':
      return items[at <= 0 ? last : at - 1];
    case 'Home':
    case 'PageUp':
      return items[0];
    case 'End':
    case 'PageDown':
      return items[last];
  }
  if ([...key].length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
