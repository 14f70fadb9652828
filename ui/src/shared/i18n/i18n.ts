import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languageOf } from '../preferences/preferences';
import { getPreferences, subscribePreferences } from '../preferences/storage';
import { type Namespaces, resources } from './resources';
import type { WordsLike } from './words';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Namespaces;
  }
}

const wanted = () => languageOf(getPreferences(), navigator.language);

/** Words that were added before i18next started. */
const early: (() => void)[] = [];

/** Starts i18next, and changes the language when the preference changes. */
export function startWords(): void {
  void i18next.use(initReactI18next).init({
    lng: wanted(),
    fallbackLng: 'en',
    resources,
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    initAsync: false,
    showSupportNotice: false,
  });
  for (const add of early.splice(0)) add();
  subscribePreferences(() => {
    if (i18next.language !== wanted()) void i18next.changeLanguage(wanted());
  });
}

/** Adds the words of a lazily loaded page. Its `words.ts` calls it. */
export function addWords<N extends keyof Namespaces>(
  namespace: N,
  words: { en: Namespaces[N]; ja: WordsLike<Namespaces[N]> },
): void {
  const add = () => {
    i18next.addResourceBundle('en', namespace, words.en);
    i18next.addResourceBundle('ja', namespace, words.ja);
  };
  if (i18next.isInitialized) add();
  else early.push(add);
}
