import { AArrowDown, AArrowUp } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';
import { READING_SIZES, showsBookmarkCounts } from '@/shared/preferences/preferences';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { IconButton } from '@/shared/ui/icon-button';
import { languages } from '@/shared/ui/languages';
import { Row, Rows, Section, SwitchRow } from '@/shared/ui/section';
import { Segmented } from '@/shared/ui/segmented';

/** Theme, language, density, and the typeface of articles. Changes apply at once. */
export function Appearance() {
  const { t } = useTranslation('settings');
  const preferences = usePreferences();
  const { theme, language, density } = preferences;
  const hasBookmarks = showsBookmarkCounts(preferences);
  const change = useChangePreferences();
  return (
    <>
      <Rows className="mb-10">
        <Choice
          title={t('theme.title')}
          value={theme}
          onChange={(theme) => change({ theme })}
          options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: t(`theme.${value}`) }))}
        />
        <Choice
          title={t('language.title')}
          value={language ?? 'browser'}
          onChange={(value) => change({ language: value === 'browser' ? null : value })}
          options={[...languages, { value: 'browser', label: t('language.browser') }]}
        />
        <Choice
          title={t('density.title')}
          details={t('density.hint')}
          value={density}
          onChange={(density) => change({ density })}
          options={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`density.${value}`) }))}
        />
        {preferences.bookmark_counts_default !== null && (
          <SwitchRow
            title={t('bookmarks.title')}
            details={t('bookmarks.hint')}
            checked={hasBookmarks}
            onChange={() => change({ bookmark_counts: !hasBookmarks })}
          />
        )}
      </Rows>
      <Reading />
    </>
  );
}

type ChoiceProps<T extends string> = Omit<ComponentProps<typeof Segmented<T>>, 'label'> & {
  title: string;
  details?: string;
};

function Choice<T extends string>({ title, details, ...rest }: ChoiceProps<T>) {
  return <Row title={title} details={details} action={<Segmented label={title} {...rest} />} />;
}

function Reading() {
  const { t } = useTranslation('settings');
  const { readingFont, readingSize } = usePreferences();
  const change = useChangePreferences();
  const at = READING_SIZES.indexOf(readingSize);
  const step = (by: number) => {
    const readingSize = READING_SIZES[at + by];
    if (readingSize !== undefined) change({ readingSize });
  };
  return (
    <Section level={3} title={t('reading.title')}>
      <Rows>
        <Choice
          title={t('reading.font')}
          value={readingFont}
          onChange={(readingFont) => change({ readingFont })}
          options={[
            { value: 'sans', label: t('reading.sans') },
            { value: 'serif', label: <span className="font-serif">{t('reading.serif')}</span> },
          ]}
        />
        <Row
          title={t('reading.size')}
          action={
            <div className="flex items-center gap-1">
              <IconButton label={t('reading.smaller')} disabled={at <= 0} onClick={() => step(-1)}>
                <AArrowDown />
              </IconButton>
              <output className="tabular min-w-12 text-center text-ink-2">{readingSize} px</output>
              <IconButton label={t('reading.larger')} disabled={at >= READING_SIZES.length - 1} onClick={() => step(1)}>
                <AArrowUp />
              </IconButton>
            </div>
          }
        />
      </Rows>
      <figure className="mt-5 rounded-lg border border-line bg-surface px-6 py-5">
        <figcaption className="mb-2 text-ink-3 text-sm">{t('reading.specimen')}</figcaption>
        <p
          className={cn(
            'text-(length:--reading-size) leading-[1.75] [text-wrap:pretty] lang-ja:leading-[1.9]',
            readingFont === 'serif' ? 'font-serif' : 'font-sans',
          )}
        >
          {t('reading.sample')}
        </p>
      </figure>
    </Section>
  );
}
