// What an invented site publishes. Everything in these files was written for the pictures; no such site exists.

export type Entry = {
  title: string;
  html: string;
  /** How many minutes before the pictures are taken it appeared; none for a feed that gives no dates. */
  ago?: number;
  author?: string;
  categories?: readonly string[];
  /** How many bookmarks it has at Hatena. */
  bookmarks?: number;
};

export type Feed = {
  /** Its place at the origin, and its name in `.example`. */
  key: string;
  title: string;
  language: 'en' | 'ja';
  entries: readonly Entry[];
};

/** The name that people see for a feed's site. */
export const siteOf = (key: string) => `https://${key}.example`;
