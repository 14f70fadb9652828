import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/shared/i18n/use-language';
import { ImportProgress } from '@/shared/opml/import-progress';
import { useImportOpml } from '@/shared/opml/imports';
import type { Language } from '@/shared/preferences/preferences';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { languages } from '@/shared/ui/languages';
import { Segmented } from '@/shared/ui/segmented';
import { type Starter, starters, topics } from './starters';
import { writeOpml } from './write-opml';

/** Feeds to choose from, by topic. */
export function StarterList({ onFinished }: { onFinished: () => void }) {
  const { t } = useTranslation('welcome');
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [chosen, setChosen] = useState<ReadonlySet<Starter>>(new Set());
  const bring = useImportOpml();

  const toggle = (starter: Starter) => {
    const next = new Set(chosen);
    if (!next.delete(starter)) next.add(starter);
    setChosen(next);
  };
  const add = () => {
    const opml = writeOpml(
      starters.filter((starter) => chosen.has(starter)),
      (topic) => t(`topics.${topic}`),
    );
    bring.mutate(new Blob([opml], { type: 'text/x-opml' }));
  };
  if (bring.data) return <ImportProgress id={bring.data.id} onFinished={onFinished} />;
  return (
    <>
      <Segmented label={t('starters.language')} value={language} onChange={setLanguage} options={languages} />
      <div className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {topics.map((topic) => (
          <fieldset key={topic}>
            <legend className="w-full border-ink border-b pb-1 font-semibold">{t(`topics.${topic}`)}</legend>
            {starters
              .filter((starter) => starter.topic === topic && starter.language === language)
              .map((starter) => (
                <Choice
                  key={starter.url}
                  starter={starter}
                  isChosen={chosen.has(starter)}
                  onToggle={() => toggle(starter)}
                />
              ))}
          </fieldset>
        ))}
      </div>
      <div className="sticky bottom-0 mt-6 flex items-center justify-between gap-4 border-line border-t bg-bg py-3">
        <p role="status" className="tabular text-ink-2">
          {chosen.size > 0 ? t('starters.choose', { count: chosen.size }) : t('starters.none')}
        </p>
        <Button look="primary" disabled={chosen.size === 0} isBusy={bring.isPending} onClick={add}>
          {t('starters.add')}
        </Button>
      </div>
      {bring.error && <ErrorState error={bring.error} onRetry={add} isInline />}
    </>
  );
}

function Choice({ starter, isChosen, onToggle }: { starter: Starter; isChosen: boolean; onToggle: () => void }) {
  return (
    <label className="flex min-h-11 items-center gap-3 border-line border-b py-1.5 hover:bg-hover">
      <input type="checkbox" className="size-4.5 shrink-0" checked={isChosen} onChange={onToggle} />
      <span className="min-w-0" lang={starter.language}>
        <span className="block truncate">{starter.title}</span>
        <span className="block truncate text-ink-3 text-xs">{starter.site}</span>
      </span>
    </label>
  );
}
