import { useSyncExternalStore } from 'react';
import { languageOf, type Preferences, parsePreferences } from './preferences';

/** public/first-paint.js reads the same. */
const KEY = 'kawaraban.preferences';

const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  try {
    return parsePreferences(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    return parsePreferences({});
  }
}

export function getPreferences(): Preferences {
  return current;
}

/** Keeps them in this browser and shows the page accordingly, at once. */
export function setPreferences(next: Preferences): void {
  current = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Private windows may have no storage; then they last as long as the page.
  }
  show(next);
  for (const listener of listeners) listener();
}

export function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The preferences as they are now. To change them: `useChangePreferences`. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences);
}

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

/** Follows the machine's theme and other windows of ours; once, at the start. */
export function watchSurroundings(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(current));
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    current = read();
    show(current);
    for (const listener of listeners) listener();
  });
}
