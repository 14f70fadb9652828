import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePending } from '@/shared/api/pending';
import { useConnection } from '@/shared/offline/connection';

/** Says so while there is no connection, and how much waits for it: one quiet line at the foot of the page. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const connection = useConnection();
  const count = usePending().length;
  return (
    <div role="status" className="shrink-0 bg-sunken text-ink-2 text-sm">
      {connection !== 'online' && (
        <p className="flex items-center justify-center gap-2 border-line border-t px-3 py-1.5">
          <CloudOff aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="text-balance">
            {t(`offline.${connection}`)} {/* Not said again with every change that waits. */}
            {count > 0 && (
              <span aria-live="off" className="tabular">
                {t('offline.waiting', { count })}
              </span>
            )}
          </span>
        </p>
      )}
    </div>
  );
}
