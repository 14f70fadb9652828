import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { CircleDot, Newspaper, Search, Star } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '@/shared/lib/cn';
import { Count } from './count';
import { current, row, wholeRow } from './row';

const places = [
  { filter: 'all', icon: <Newspaper aria-hidden className="size-4 shrink-0" /> },
  { filter: 'unread', icon: <CircleDot aria-hidden className="size-4 shrink-0" /> },
  { filter: 'starred', icon: <Star aria-hidden className="size-4 shrink-0" /> },
] as const;

/** All, unread, starred; and search. */
export function PlaceLinks({ unread }: { unread: number }) {
  const { t } = useTranslation();
  const countId = useId();
  const isHome = useLocation({ select: (location) => location.pathname === '/' });
  const { filter: shown = 'all' } = useSearch({ strict: false });
  return (
    <ul className="px-3">
      {places.map(({ filter, icon }) => (
        <li key={filter} className={cn(row, isHome && shown === filter && current)}>
          {icon}
          <Link
            to="/"
            search={{ filter }}
            aria-describedby={filter === 'unread' && unread > 0 ? countId : undefined}
            aria-current={isHome && shown === filter ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            className={wholeRow}
          >
            {t(`places.${filter}`)}
          </Link>
          {filter === 'unread' && <Count id={countId} count={unread} />}
        </li>
      ))}
      <li className={row}>
        <Search aria-hidden className="size-4 shrink-0" />
        <Link to="/search" activeOptions={{ includeSearch: false }} className={wholeRow}>
          {t('places.search')}
        </Link>
      </li>
    </ul>
  );
}
