import '@/shared/i18n/reader-words';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '@/shared/layout/page';
import { SearchBox } from './search-box';
import { SearchResults } from './search-results';
import { SearchStart } from './search-start';

/** Searches all items while the user types. */
export function SearchPage() {
  const { t } = useTranslation('reader');
  const { q = '' } = useSearch({ strict: false });
  const title = t('search.title');
  return (
    <Page title={title} tab={q && `${q} – ${title}`} bar={<SearchBox query={q} />} className="max-w-4xl p-0">
      {q === '' ? <SearchStart /> : <SearchResults query={q} />}
    </Page>
  );
}
