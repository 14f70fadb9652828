import { type LinkProps, useLocation, useSearch } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import type { ItemFilter } from '../api/items';
import type { Action } from '../keys/shortcuts';

/** A page in the navigation. The table is app/destinations.ts. */
export type Destination = {
  /** Its name: a word of `common`. */
  label: ParseKeys<'common'>;
  icon: LucideIcon;
  to: NonNullable<LinkProps['to']>;
  /** The filter of a list of items. */
  filter?: ItemFilter;
  /** At the top of the sidebar and in the bottom bar of phones, only at the top of the sidebar, or at its foot. */
  where: 'main' | 'top' | 'foot';
  shortcut?: Action;
  isForOwner?: true;
};

export const searchOf = ({ filter }: Destination) => (filter ? { filter } : {});

/** Whether a destination is the current page, also while an article is open. */
export function useIsAt(): (destination: Destination) => boolean {
  const pathname = useLocation({ select: (location) => location.pathname });
  const { filter: shown = 'all' } = useSearch({ strict: false });
  return ({ to, filter }) => (filter ? pathname === to && shown === filter : pathname.startsWith(to));
}
