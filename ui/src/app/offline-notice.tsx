import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { outbox } from '@/shared/api/outbox';
import { useConnection } from '@/shared/lib/connection';
import { useStore } from '@/shared/lib/use-store';

/** One line at the foot of the page: there is no connection, and how many changes wait for it. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const connection = useConnection();
  const count = useStore({ subscribe: outbox.subscribe, get: outbox.pending }).length;
  return (
    <div role="status" className="shrink-0 bg-sunken text-ink-2 text-sm">
      {connection !== 'online' && (
        <p className="flex items-center justify-center gap-2 border-line border-t px-3 py-1.5">
          <CloudOff aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="text-balance">
            {t(`offline.${connection}`)} {/* Not announced again for each change. */}
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
