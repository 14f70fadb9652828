import type { Schema } from '../api/client';

export type Language = Schema<'PageLanguage'>;
type Settings = Schema<'SettingsView'>;

/** The user's preferences: what the server knows of, and what only pages use. */
export type Preferences = Omit<Settings, 'preferences'> & {
  readingFont: 'sans' | 'serif';
  /** In pixels. */
  readingSize: number;
  shortcuts: boolean;
};

export const READING_SIZES: readonly number[] = [15, 16, 17, 18, 20, 22, 24];

export const defaults: Preferences = {
  theme: 'system',
  language: null,
  density: 'comfortable',
  readingFont: 'sans',
  readingSize: 18,
  shortcuts: true,
  bookmark_counts: null,
  bookmark_counts_default: null,
};

const allowed: { [Key in keyof Preferences]: readonly Preferences[Key][] } = {
  theme: ['light', 'dark', 'system'],
  language: ['ja', 'en', null],
  density: ['comfortable', 'compact'],
  readingFont: ['sans', 'serif'],
  readingSize: READING_SIZES,
  shortcuts: [true, false],
  bookmark_counts: [true, false, null],
  bookmark_counts_default: [true, false, null],
};

/** Preferences from stored data. Values that are not allowed become the defaults. */
export function parsePreferences(value: unknown): Preferences {
  const entries = Object.entries(value ?? {}).filter(([key, one]) =>
    allowed[key as keyof Preferences]?.some((other) => other === one),
  );
  return { ...defaults, ...Object.fromEntries(entries) };
}

/** Preferences as the server stores them. Other clients' preferences (`others`) stay unchanged. */
export function toSettings(preferences: Preferences, others: Settings['preferences']): Settings {
  const { readingFont, readingSize, shortcuts, ...settings } = preferences;
  return { ...settings, preferences: { ...others, readingFont, readingSize, shortcuts } };
}

export function fromSettings({ preferences, ...settings }: Settings): Preferences {
  return parsePreferences({ ...preferences, ...settings });
}

/** Whether bookmark counts are shown: the user's choice, unless the server shows none. */
export function showsBookmarkCounts({ bookmark_counts: choice, bookmark_counts_default: otherwise }: Preferences) {
  return otherwise !== null && (choice ?? otherwise);
}

export function languageOf(preferences: Preferences, browser: string): Language {
  return preferences.language ?? (browser.startsWith('ja') ? 'ja' : 'en');
}
