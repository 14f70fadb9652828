import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { searchOf, useIsAt } from '@/shared/layout/destinations';
import { cn } from '@/shared/lib/cn';
import { destinations } from './destinations';

/** On phones: the most used pages, in reach of the thumb. */
export function BottomBar() {
  const { t } = useTranslation();
  const isAt = useIsAt();
  return (
    <nav
      aria-label={t('places.label')}
      className="flex shrink-0 border-line border-t bg-sunken pb-[env(safe-area-inset-bottom)]"
    >
      {destinations
        .filter(({ where }) => where === 'main')
        .map((one) => (
          <Link
            key={one.label}
            to={one.to}
            search={searchOf(one)}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={isAt(one) ? 'page' : undefined}
            className={cn(
              'flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-xs [&_svg]:size-5',
              // Not by colour alone.
              isAt(one) ? 'text-accent shadow-[inset_0_2px_var(--accent)]' : 'text-ink-2',
            )}
          >
            <one.icon aria-hidden />
            {t(one.label)}
          </Link>
        ))}
    </nav>
  );
}
