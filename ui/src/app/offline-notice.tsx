import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '@/shared/lib/use-online';

/** Says so while there is no connection. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const isOnline = useOnline();
  return (
    <div role="status" aria-live="polite">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-ink px-4 py-1.5 text-bg text-sm">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>
            <strong className="font-semibold">{t('offline.title')}</strong> — {t('offline.text')}
          </span>
        </p>
      )}
    </div>
  );
}
