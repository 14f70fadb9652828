import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '../lib/cn';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/error-state';
import { ImportProgress } from './import-progress';
import { useImportOpml } from './imports';

/** Imports an OPML file that is chosen or dropped, and shows the progress. */
export function OpmlImport({ onFinished }: { onFinished?: () => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const bring = useImportOpml();
  const take = (file: File | undefined) => file && bring.mutate(file);

  if (bring.data) {
    return (
      <div className="space-y-3">
        <ImportProgress id={bring.data.id} onFinished={onFinished} />
        <Button size="sm" onClick={() => bring.reset()}>
          {t('opml.another')}
        </Button>
      </div>
    );
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <div className="space-y-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the second way; the first is the button inside */}
      <div
        className={cn(
          'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-dashed p-4',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Button isBusy={bring.isPending} onClick={() => input.current?.click()}>
          <FileUp aria-hidden className="size-4" />
          {t('opml.choose')}
        </Button>
        <span className="text-ink-3 text-sm max-md:hidden">{t('opml.drop')}</span>
        <input
          ref={input}
          type="file"
          accept=".opml,.xml,text/x-opml,text/xml,application/xml"
          aria-label={t('opml.choose')}
          className="hidden"
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {bring.error && <ErrorState error={bring.error} isInline />}
    </div>
  );
}
