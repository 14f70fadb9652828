import { useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { Scope } from '@/shared/api/items';

/** How the user left a list. */
export type Visit = {
  /** The key of the history entry. */
  entry: string;
  /** The scroll position in pixels. */
  top: number;
  chosenId: string | null;
};

const visits = new Map<string, Visit>();

/** "Back" returns to the list as it was left; every other way starts it anew. */
export function arrival(left: Visit | undefined, entry: string): 'first' | 'back' | 'anew' {
  if (!left) return 'first';
  return left.entry === entry ? 'back' : 'anew';
}

/** How the user has come to a list. Remembers how it is left. */
export function useVisit(scope: Scope) {
  const entry = useLocation({ select: (location) => location.state.__TSR_key ?? '' });
  const where = useLocation({ select: ({ pathname, search }) => `${pathname} ${search.filter} ${search.order}` });
  const key = JSON.stringify(scope);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it was when the list was entered
  const arrived = useMemo(() => {
    const left = visits.get(key);
    const how = arrival(left, entry);
    return { where, visit: how === 'back' && left ? left : null, isAnew: how === 'anew', at: Date.now() };
  }, [key]);
  // Written in effects only, after those of the list before.
  const leaving = useRef<Visit>({ entry, top: arrived.visit?.top ?? 0, chosenId: null }).current;
  // The address changes a little before the list is left.
  const isHere = where === arrived.where;
  useEffect(() => {
    if (isHere) leaving.entry = entry;
  }, [leaving, entry, isHere]);
  useEffect(
    () => () => {
      visits.set(key, { ...leaving });
    },
    [leaving, key],
  );
  return { ...arrived, leaving };
}
