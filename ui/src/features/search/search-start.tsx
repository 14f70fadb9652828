import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/shared/i18n/use-language';
import { EmptyState } from '@/shared/ui/empty-state';

/** Examples of queries, by the language of the page. */
const examples = {
  en: { words: 'rust compiler', phrase: '"borrow checker"', without: 'apple -iphone', place: 'title:release' },
  ja: { words: '東京 天気', phrase: '「東京都の天気」', without: '天気 -台風', place: 'title:お知らせ' },
} as const;

/** Shown before a search: how to write queries. */
export function SearchStart() {
  const { t } = useTranslation('reader');
  const shown = examples[useLanguage()];
  return (
    <>
      <EmptyState icon={<Search aria-hidden />} title={t('search.startTitle')} text={t('search.startText')} isSmall />
      <dl className="mx-auto grid max-w-md grid-cols-[auto_1fr] gap-x-5 gap-y-2 px-6 text-sm">
        {(['words', 'phrase', 'without', 'place'] as const).map((kind) => (
          <div key={kind} className="contents">
            <dt className="whitespace-nowrap text-right font-mono">{shown[kind]}</dt>
            <dd className="text-ink-3">{t(`search.help.${kind}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
