import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { CircleDot, Newspaper, Search, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';

const look = 'flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink-2 [&_svg]:size-5';
/** Where one is: not by its colour alone. */
const here = 'text-accent shadow-[inset_0_2px_var(--accent)]';

/** On phones: the places one goes to all the time, under the thumb. */
export function BottomBar() {
  const { t } = useTranslation();
  const exact = { exact: true, includeSearch: true };
  const isHome = useLocation({ select: (location) => location.pathname === '/' });
  const { filter: shown = 'all' } = useSearch({ strict: false });
  const isAt = (filter: string) => isHome && shown === filter;
  // Also while an article is open there, which is one more word in the address.
  const at = (filter: string) => cn(look, isAt(filter) && here);
  const current = (filter: string) => (isAt(filter) ? ('page' as const) : undefined);
  return (
    <nav
      aria-label={t('places.label')}
      className="flex shrink-0 border-line border-t bg-sunken pb-[env(safe-area-inset-bottom)]"
    >
      <Link to="/" search={{ filter: 'all' }} activeOptions={exact} aria-current={current('all')} className={at('all')}>
        <Newspaper aria-hidden />
        {t('places.all')}
      </Link>
      <Link
        to="/"
        search={{ filter: 'unread' }}
        activeOptions={exact}
        aria-current={current('unread')}
        className={at('unread')}
      >
        <CircleDot aria-hidden />
        {t('places.unread')}
      </Link>
      <Link
        to="/"
        search={{ filter: 'starred' }}
        activeOptions={exact}
        aria-current={current('starred')}
        className={at('starred')}
      >
        <Star aria-hidden />
        {t('places.starred')}
      </Link>
      <Link to="/search" activeOptions={{ includeSearch: false }} activeProps={{ className: here }} className={look}>
        <Search aria-hidden />
        {t('places.search')}
      </Link>
    </nav>
  );
}
