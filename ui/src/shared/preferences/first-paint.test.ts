// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { defaults } from './preferences';
import { setPreferences } from './storage';

const script = readFileSync(path.resolve(import.meta.dirname, '../../../public/first-paint.js'), 'utf8');
// biome-ignore lint/security/noGlobalEval: the browser runs the file as a script; so does the test
const paint = () => globalThis.eval(script);
const root = document.documentElement;

beforeEach(() => {
  document.head.innerHTML = '<meta name="theme-color" content="">';
});

it('paints the first time what the app would show', () => {
  for (const theme of ['dark', 'light'] as const) {
    setPreferences({ ...defaults, theme, language: theme === 'dark' ? 'ja' : 'en' });
    const shown = [root.dataset.theme, root.lang];
    root.dataset.theme = '';
    root.lang = '';
    paint();
    expect([root.dataset.theme, root.lang]).toEqual(shown);
  }
});

it('is light without anything kept, and with nonsense', () => {
  for (const kept of [null, 'nonsense', 'null', '[]']) {
    localStorage.clear();
    if (kept !== null) localStorage.setItem('kawaraban.preferences', kept);
    paint();
    expect(root.dataset.theme).toBe('light');
  }
});
