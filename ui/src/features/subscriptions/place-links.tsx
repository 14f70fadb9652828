import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '@/shared/api/me';
import { type Destination, searchOf, useIsAt } from '@/shared/layout/destinations';
import { cn } from '@/shared/lib/cn';
import { Count } from './count';
import { current, row, wholeRow } from './row';

type PlaceLinksProps = {
  destinations: readonly Destination[];
  /** Shown behind the unread items. */
  unread?: number;
  className?: string;
};

/** Links to pages, above or below the feeds. */
export function PlaceLinks({ destinations, unread = 0, className }: PlaceLinksProps) {
  const { t } = useTranslation();
  const countId = useId();
  const isAt = useIsAt();
  const isOwner = useQuery(meQuery).data?.role === 'owner';
  return (
    <ul className={className}>
      {destinations
        .filter(({ isForOwner }) => isOwner || !isForOwner)
        .map((one) => (
          <li key={one.label} className={cn(row, 'flex-1', isAt(one) && current)}>
            <one.icon aria-hidden className="size-4 shrink-0" />
            <Link
              to={one.to}
              search={searchOf(one)}
              aria-describedby={one.filter === 'unread' && unread > 0 ? countId : undefined}
              aria-current={isAt(one) ? 'page' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              className={wholeRow}
            >
              {t(one.label)}
            </Link>
            {one.filter === 'unread' && <Count id={countId} count={unread} />}
          </li>
        ))}
    </ul>
  );
}
