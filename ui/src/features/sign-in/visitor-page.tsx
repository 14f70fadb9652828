import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dateText } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { getPreferences, setPreferences } from '@/shared/preferences/storage';
import { languages } from '@/shared/ui/languages';
import { Mark } from '@/shared/ui/mark';
import { usePageTitle } from '@/shared/ui/page-title';
import { Segmented } from '@/shared/ui/segmented';

/** The frame of the pages for visitors: the head of a news sheet, and a narrow column below it. */
export function VisitorPage({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const { t } = useTranslation('signIn');
  const language = useLanguage();
  usePageTitle(title);
  return (
    <div className="flex min-h-dvh flex-col px-5 pt-[max(9dvh,env(safe-area-inset-top))] pb-6">
      <main className="mx-auto w-full max-w-sm">
        <header className="border-ink border-t-[3px]">
          <div className="flex items-end gap-3 border-ink border-b py-4">
            <Mark className="size-11" />
            <p className="font-semibold text-3xl leading-none tracking-tight">Kawaraban</p>
            <p lang="ja" aria-hidden className="ml-auto font-serif text-ink-3 text-lg leading-none">
              瓦版
            </p>
          </div>
          <p className="flex flex-wrap justify-between gap-x-4 border-line border-b py-2 text-ink-3 text-sm">
            <span>{dateText(new Date(), language, 'long')}</span>
            <span>{t('lead')}</span>
          </p>
        </header>
        <h1 className="mt-9 font-semibold text-xl">{title}</h1>
        {lead && <p className="mt-1.5 text-pretty text-ink-2">{lead}</p>}
        <div className="mt-6">{children}</div>
      </main>
      <footer className="mx-auto mt-auto pt-10">
        <Segmented
          label={t('language')}
          value={language}
          options={languages}
          onChange={(language) => setPreferences({ ...getPreferences(), language })}
        />
      </footer>
    </div>
  );
}
