import '@/shared/i18n/reader-words';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SidebarButton } from '@/shared/layout/sidebar-button';
import { usePageTitle } from '@/shared/ui/page-title';
import { SearchBox } from './search-box';
import { SearchResults } from './search-results';
import { SearchStart } from './search-start';

/** Search in all items, while one types. */
export function SearchPage() {
  const { t } = useTranslation('reader');
  const { q = '', item } = useSearch({ strict: false });
  usePageTitle(q ? `${q} – ${t('search.title')}` : t('search.title'), t('search.title'));
  return (
    <div className="relative flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-5 has-[input:focus-visible]:shadow-[inset_0_-2px_var(--accent)] max-md:px-4">
        <SidebarButton />
        <h1 className="sr-only">{t('search.title')}</h1>
        <SearchBox query={q} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-4xl">
          {q === '' ? <SearchStart /> : <SearchResults query={q} openId={item} />}
        </div>
      </div>
    </div>
  );
}
