import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';
import { useCountdown } from '@/shared/lib/use-countdown';
import { Button } from '@/shared/ui/button';
import { DialogBody } from '@/shared/ui/dialog';
import { Progress } from '@/shared/ui/progress';
import type { SiteOutcome, useAddSites } from './use-add-sites';

const colours = {
  waiting: 'text-ink-3',
  adding: 'text-ink-2',
  added: 'text-ok',
  present: 'text-ink-2',
  failed: 'text-bad',
  left: 'text-ink-3',
} as const satisfies Record<SiteOutcome, string>;

/** Addresses without a result. */
const OPEN: ReadonlySet<SiteOutcome> = new Set(['waiting', 'adding', 'left']);

type AddSitesResultsProps = { adding: ReturnType<typeof useAddSites>; onClose: () => void; onAgain: () => void };

/** The progress, and a line for each address. Closing the dialog stops the rest. */
export function AddSitesResults({ adding, onClose, onAgain }: AddSitesResultsProps) {
  const { t } = useTranslation(['watch', 'common']);
  const { results, isRunning } = adding;
  const wait = useCountdown(adding.pausedFor);
  const done = results.filter(({ outcome }) => !OPEN.has(outcome)).length;
  const counts = (['added', 'present', 'failed'] as const).flatMap((outcome) => {
    const count = results.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [t(`add.counts.${outcome}`, { count })] : [];
  });
  const state = isRunning ? 'progress' : done < results.length ? 'stoppedAt' : 'finished';
  return (
    <>
      <div className="px-5 pt-1 pb-3">
        <Progress label={t(`add.${state}`, { done, total: results.length })} value={done} most={results.length} />
        {/* Its line is always there, so that the list below does not move. */}
        <p className="tabular mt-1.5 min-h-5 text-ink-2 text-sm">
          {isRunning && wait > 0 ? t('add.pause', { n: wait }) : counts.join(' · ')}
        </p>
      </div>
      <DialogBody isReadOnly>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {results.map(({ address, outcome, message }) => (
            <li key={address} className="px-3 py-2 text-sm">
              <p className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 truncate font-medium">{address}</span>
                <span className={cn('shrink-0', colours[outcome])}>{t(`add.outcomes.${outcome}`)}</span>
              </p>
              {message && <p className="whitespace-pre-line text-pretty text-ink-2">{message}</p>}
            </li>
          ))}
        </ul>
      </DialogBody>
      <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">
        {isRunning ? (
          <Button key="stop" onClick={adding.stop} isBusy={adding.isStopping} autoFocus>
            {t('add.stop')}
          </Button>
        ) : (
          <>
            <Button onClick={onAgain}>{t('add.again')}</Button>
            <Button key="close" look="primary" onClick={onClose} autoFocus>
              {t('common:close')}
            </Button>
          </>
        )}
      </footer>
    </>
  );
}
