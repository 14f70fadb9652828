import { useTranslation } from 'react-i18next';
import { cn } from '../lib/cn';

/** A grey bar where text will be. */
export function Bone({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cn(
        'block by-default:h-3.5 animate-pulse by-default:rounded-sm bg-line motion-reduce:animate-none',
        className,
      )}
    />
  );
}

/** Stands in for content that is loading. Visible only after 150 ms, so that quick answers do not flicker. */
export function Skeleton({ className, children }: { className?: string; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={cn('animate-late', className)}>
      <span className="sr-only">{t('loading')}</span>
      {children}
    </div>
  );
}

/** Lines of text that are loading. */
export function SkeletonLines({ lines = 3, className }: { lines?: number; className?: string }) {
  const widths = ['w-11/12', 'w-4/5', 'w-2/3', 'w-5/6', 'w-3/5'];
  return (
    <Skeleton className={cn('flex flex-col by-default:gap-3', className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity and never move
        <Bone key={line} className={widths[line % widths.length]} />
      ))}
    </Skeleton>
  );
}
