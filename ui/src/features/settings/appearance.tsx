import { AArrowDown, AArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';
import { READING_SIZES } from '@/shared/preferences/preferences';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { IconButton } from '@/shared/ui/icon-button';
import { Segmented } from '@/shared/ui/segmented';
import { Group, Setting } from './group';

/** Theme, language, density, and the type that articles are set in. Every change is to be seen at once. */
export function Appearance() {
  const { t } = useTranslation('settings');
  const { theme, language, density } = usePreferences();
  const change = useChangePreferences();
  const options = <T extends string>(values: readonly T[], label: (value: T) => string) =>
    values.map((value) => ({ value, label: label(value) }));
  return (
    <>
      <div className="mb-10 border-line border-t">
        <Setting label={t('theme.title')}>
          <Segmented
            label={t('theme.title')}
            value={theme}
            onChange={(theme) => change({ theme })}
            options={options(['light', 'dark', 'system'] as const, (value) => t(`theme.${value}`))}
          />
        </Setting>
        <Setting label={t('language.title')}>
          <Segmented
            label={t('language.title')}
            value={language ?? 'browser'}
            onChange={(value) => change({ language: value === 'browser' ? null : value })}
            options={[
              { value: 'ja', label: <span lang="ja">日本語</span> },
              { value: 'en', label: <span lang="en">English</span> },
              { value: 'browser', label: t('language.browser') },
            ]}
          />
        </Setting>
        <Setting label={t('density.title')} hint={t('density.hint')}>
          <Segmented
            label={t('density.title')}
            value={density}
            onChange={(density) => change({ density })}
            options={options(['comfortable', 'compact'] as const, (value) => t(`density.${value}`))}
          />
        </Setting>
      </div>
      <Reading />
    </>
  );
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
    <Group title={t('reading.title')}>
      <div className="border-line border-t">
        <Setting label={t('reading.font')}>
          <Segmented
            label={t('reading.font')}
            value={readingFont}
            onChange={(readingFont) => change({ readingFont })}
            options={[
              { value: 'sans', label: t('reading.sans') },
              { value: 'serif', label: <span className="font-serif">{t('reading.serif')}</span> },
            ]}
          />
        </Setting>
        <Setting label={t('reading.size')}>
          <div className="flex items-center gap-1">
            <IconButton label={t('reading.smaller')} disabled={at <= 0} onClick={() => step(-1)}>
              <AArrowDown />
            </IconButton>
            <output className="tabular min-w-12 text-center text-ink-2">{readingSize} px</output>
            <IconButton label={t('reading.larger')} disabled={at >= READING_SIZES.length - 1} onClick={() => step(1)}>
              <AArrowUp />
            </IconButton>
          </div>
        </Setting>
      </div>
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
    </Group>
  );
}
