import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { CircleDot, Newspaper, Search, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';

const look =
  'flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink-2 data-[status=active]:text-accent [&_svg]:size-5';

/** On phones: the places one goes to all the time, under the thumb. */
export function BottomBar() {
  const { t } = useTranslation();
  const exact = { exact: true, includeSearch: true };
  const isHome = useLocation({ select: (location) => location.pathname === '/' });
  const { filter: shown = 'all' } = useSearch({ strict: false });
  // Also while an article is open there, which is one more word in the address.
  const at = (filter: string) => cn(look, isHome && shown === filter && 'text-accent');
  return (
    <nav
      aria-label={t('name')}
      className="flex shrink-0 border-line border-t bg-sunken pb-[env(safe-area-inset-bottom)]"
    >
      <Link to="/" search={{ filter: 'all' }} activeOptions={exact} className={at('all')}>
        <Newspaper aria-hidden />
        {t('places.all')}
      </Link>
      <Link to="/" search={{ filter: 'unread' }} activeOptions={exact} className={at('unread')}>
        <CircleDot aria-hidden />
        {t('places.unread')}
      </Link>
      <Link to="/" search={{ filter: 'starred' }} activeOptions={exact} className={at('starred')}>
        <Star aria-hidden />
        {t('places.starred')}
      </Link>
      <Link to="/search" activeOptions={{ includeSearch: false }} className={look}>
        <Search aria-hidden />
        {t('places.search')}
      </Link>
    </nav>
  );
}
