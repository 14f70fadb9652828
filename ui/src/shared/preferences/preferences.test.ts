import { describe, expect, it } from 'vitest';
import { defaults, fromSettings, languageOf, parsePreferences, toSettings } from './preferences';

describe('preferences', () => {
  it('come out of anything, and what cannot be used is the default', () => {
    for (const nonsense of [null, undefined, 3, 'dark', [], { theme: 'pink', readingSize: 900, shortcuts: 'no' }]) {
      expect(parsePreferences(nonsense)).toEqual(defaults);
    }
    expect(parsePreferences({ theme: 'dark', readingSize: 22, shortcuts: false })).toEqual({
      ...defaults,
      theme: 'dark',
      readingSize: 22,
      shortcuts: false,
    });
  });

  it('follow the theme of the system by default', () => {
    expect(defaults.theme).toBe('system');
  });

  it('go to the server and come back, beside what others keep there', () => {
    const mine = { ...defaults, theme: 'system', language: 'ja', readingFont: 'serif' } as const;
    const settings = toSettings(mine, { phone: { swipe: true }, readingFont: 'sans' });
    expect(settings.preferences).toMatchObject({ phone: { swipe: true }, readingFont: 'serif' });
    expect(settings).toMatchObject({ theme: 'system', language: 'ja', density: 'comfortable' });
    expect(fromSettings(settings)).toEqual(mine);
  });

  it('take the language of the browser where none is chosen', () => {
    expect(languageOf(defaults, 'ja-JP')).toBe('ja');
    expect(languageOf(defaults, 'fr')).toBe('en');
    expect(languageOf({ ...defaults, language: 'en' }, 'ja')).toBe('en');
  });
});
