import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Scope } from '@/shared/api/items';

/** How somebody left a list. */
export type Visit = {
  /** Of the browser's history. */
  entry: string;
  /** How far it was scrolled, in pixels. */
  top: number;
  chosenId: string | null;
  /** How many arrivals had been heard of when it was loaded. */
  heard: number;
};

const visits = new Map<string, Visit>();

/**
 * What a list is when somebody comes to it: "back" leads to where one was in it, as it was; every other way to its beginning,
 * without what no longer belongs there.
 */
export function arrival(left: Visit | undefined, entry: string): 'first' | 'back' | 'anew' {
  if (!left) return 'first';
  return left.entry === entry ? 'back' : 'anew';
}

type Arrival = { scope: Scope; where: string; visit: Visit | null };

/** Comes to a list, and remembers how it is left. `onAnew` is called, while it is drawn first, for a list that begins anew. */
export function useVisit(scope: Scope, onAnew: () => void) {
  const entry = useLocation({ select: (location) => location.state.__TSR_key ?? '' });
  const where = useLocation({ select: ({ pathname, search }) => `${pathname} ${search.filter} ${search.order}` });
  const [arrived, setArrived] = useState<Arrival | null>(null);
  let current = arrived;
  if (current?.scope !== scope) {
    const left = visits.get(JSON.stringify(scope));
    const how = arrival(left, entry);
    if (how === 'anew') onAnew();
    current = { scope, where, visit: how === 'back' && left ? left : null };
    setArrived(current);
  }
  // Written in effects alone: those of the list before are all over then, and it is remembered with what was its own.
  const leaving = useRef<Visit>({ entry, top: current.visit?.top ?? 0, chosenId: null, heard: 0 }).current;
  // The address is another one a little before the list is left.
  const isHere = where === current.where;
  useEffect(() => {
    if (isHere) leaving.entry = entry;
  }, [leaving, entry, isHere]);
  useEffect(() => {
    const key = JSON.stringify(scope);
    return () => {
      visits.set(key, { ...leaving });
    };
  }, [leaving, scope]);
  return { visit: current.visit, leaving };
}
