import { shiftsOf } from '../offline/change';
import { pending } from './pending';

type Counted = { feed_id: string; unread_count: number };

/** Counts that came while a change of their feed was on its way, so that nobody can tell whether it is in them. */
const waiting = new Map<string, number>();
let isMixed = false;

const isOnItsWay = (feedId: string) => pending.get().some(({ shifts }) => feedId in shifts);

/** The server's count of unread items with what it does not know of yet. */
export function withPending<T extends Counted>(counted: T): T {
  const shift = shiftsOf(pending.get())[counted.feed_id] ?? 0;
  if (shift === 0) return counted;
  isMixed = true;
  return { ...counted, unread_count: Math.max(0, counted.unread_count + shift) };
}

/** A count that the server tells by itself, or null while it has to wait: what is shown has the change already. */
export function toldCount({ feed_id, unread_count }: Counted): number | null {
  if (!isOnItsWay(feed_id)) return unread_count;
  waiting.set(feed_id, unread_count);
  return null;
}

/** Once changes have arrived: the counts that waited for them, and whether any others may have them twice. */
export function arrivedCounts(): { counts: ReadonlyMap<string, number>; areOthersDoubtful: boolean } {
  const counts = new Map([...waiting].filter(([feedId]) => !isOnItsWay(feedId)));
  for (const feedId of counts.keys()) waiting.delete(feedId);
  const areOthersDoubtful = isMixed && pending.get().length === 0;
  if (areOthersDoubtful) isMixed = false;
  return { counts, areOthersDoubtful };
}
