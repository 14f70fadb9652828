import { useTranslation } from 'react-i18next';
import type { Language } from '../preferences/preferences';

/** The language that the page is shown in. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === 'ja' ? 'ja' : 'en';
}
