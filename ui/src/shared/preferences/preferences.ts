import type { Schema } from '../api/client';

export type Theme = Schema<'Theme'>;
export type Density = Schema<'Density'>;
export type Language = Schema<'PageLanguage'>;

/** How a person wants pages to look. */
export type Preferences = {
  theme: Theme;
  /** Null is the browser's. */
  language: Language | null;
  density: Density;
  readingFont: 'sans' | 'serif';
  /** In pixels. */
  readingSize: number;
  shortcuts: boolean;
  /** Whether Hatena bookmark counts are shown. Null without a choice. */
  bookmarkCounts: boolean | null;
  /** Whether they are shown without a choice; null if the server shows none. */
  bookmarkCountsDefault: boolean | null;
};

export const READING_SIZES: readonly number[] = [15, 16, 17, 18, 20, 22, 24];

export const defaults: Preferences = {
  theme: 'system',
  language: null,
  density: 'comfortable',
  readingFont: 'sans',
  readingSize: 18,
  shortcuts: true,
  bookmarkCounts: null,
  bookmarkCountsDefault: null,
};

/** Preferences out of anything: what cannot be used is as if it were not there. */
export function parsePreferences(value: unknown): Preferences {
  const kept = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const oneOf = <T>(key: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((one) => one === kept[key]) ?? otherwise;
  return {
    theme: oneOf('theme', ['light', 'dark', 'system'], defaults.theme),
    language: oneOf('language', ['ja', 'en', null], defaults.language),
    density: oneOf('density', ['comfortable', 'compact'], defaults.density),
    readingFont: oneOf('readingFont', ['sans', 'serif'], defaults.readingFont),
    readingSize: oneOf('readingSize', READING_SIZES, defaults.readingSize),
    shortcuts: oneOf('shortcuts', [true, false], defaults.shortcuts),
    bookmarkCounts: oneOf('bookmarkCounts', [true, false], defaults.bookmarkCounts),
    bookmarkCountsDefault: oneOf('bookmarkCountsDefault', [true, false], defaults.bookmarkCountsDefault),
  };
}

/** Preferences as the server keeps them; what it keeps for others (`rest`) goes back untouched. */
export function toSettings(
  preferences: Preferences,
  rest: Schema<'SettingsView'>['preferences'],
): Schema<'SettingsView'> {
  const { theme, language, density, bookmarkCounts, bookmarkCountsDefault, ...own } = preferences;
  return {
    theme,
    language,
    density,
    bookmark_counts: bookmarkCounts,
    bookmark_counts_default: bookmarkCountsDefault,
    preferences: { ...rest, ...own },
  };
}

export function fromSettings(settings: Schema<'SettingsView'>): Preferences {
  const { theme, language, density, bookmark_counts, bookmark_counts_default, preferences } = settings;
  return parsePreferences({
    ...preferences,
    theme,
    language,
    density,
    bookmarkCounts: bookmark_counts,
    bookmarkCountsDefault: bookmark_counts_default,
  });
}

/** Whether bookmark counts are shown: the user's choice, unless the server shows none. */
export function showsBookmarkCounts({ bookmarkCounts, bookmarkCountsDefault }: Preferences): boolean {
  return bookmarkCountsDefault !== null && (bookmarkCounts ?? bookmarkCountsDefault);
}

export function languageOf(preferences: Preferences, browser: string): Language {
  return preferences.language ?? (browser.startsWith('ja') ? 'ja' : 'en');
}
