/** Addresses that people can read and type: `?q=rust`, not `?q=%22rust%22`. All values are text; routes parse them. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** One of the allowed values, or nothing. */
export function oneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((one) => one === value);
}

/** A text that is not empty, or nothing. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What a list shows. Left out: all items, the newest first, none open. */
export type ListSearch = { filter?: 'all' | 'unread' | 'starred'; order?: 'newest' | 'oldest'; item?: string };

export function listSearch(search: Record<string, unknown>): ListSearch {
  return {
    filter: oneOf(search.filter, ['all', 'unread', 'starred']),
    order: oneOf(search.order, ['newest', 'oldest']),
    item: text(search.item),
  };
}
