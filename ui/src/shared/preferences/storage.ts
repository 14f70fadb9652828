import { Store } from '../lib/store';
import { readStored, writeStored } from '../lib/stored';
import { useStore } from '../lib/use-store';
import { languageOf, type Preferences, parsePreferences } from './preferences';

/** public/first-paint.js reads the same. */
const KEY = 'kawaraban.preferences';

const read = () => parsePreferences(readStored(KEY));
const current = new Store(read());

export const getPreferences = current.get;
export const subscribePreferences = current.subscribe;

/** Stores preferences in this browser and applies them to the page. */
export function setPreferences(next: Preferences): void {
  writeStored(KEY, next);
  show(next);
  current.set(next);
}

/** The preferences. To change them: `useChangePreferences`. */
export const usePreferences = (): Preferences => useStore(current);

/** Writes the preferences into the document: theme, language, density, type of the reading column. */
export function show(preferences: Preferences): void {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = preferences.theme === 'dark' || (preferences.theme === 'system' && prefersDark);
  root.dataset.theme = isDark ? 'dark' : 'light';
  root.dataset.density = preferences.density;
  root.dataset.readingFont = preferences.readingFont;
  root.style.setProperty('--reading-size', `${preferences.readingSize / 15}rem`);
  root.lang = languageOf(preferences, navigator.language);
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (bar) bar.content = getComputedStyle(root).getPropertyValue('--sunken').trim();
}

/** Follows the theme of the system and the other tabs. Called once. */
export function watchSurroundings(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(current.get()));
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    show(read());
    current.set(read());
  });
}
