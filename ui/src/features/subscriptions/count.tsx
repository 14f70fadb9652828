import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';

/** The number of unread items; nothing for 0. Its `id` is for the link that it describes. */
export function Count({ count, id, className }: { count: number; id?: string; className?: string }) {
  const { t } = useTranslation('reading');
  // Hidden while the menu button of the row covers it. It keeps its room, so that nothing moves.
  return (
    <span
      id={id}
      className={cn(
        'tabular min-w-6 shrink-0 pr-1 text-right text-ink-3 text-sm pointer-fine:group-has-[[aria-haspopup]]/row:group-hover/row:invisible pointer-fine:group-has-[[aria-haspopup]:is(:focus-visible,[aria-expanded=true])]/row:invisible',
        className,
      )}
    >
      {count > 0 && (
        <>
          <span aria-hidden>{count > 999 ? '999+' : count}</span>
          <span className="sr-only">{t('sidebar.unread', { count })}</span>
        </>
      )}
    </span>
  );
}
