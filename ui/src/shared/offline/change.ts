import type { components } from '../api/schema';

type ItemFilter = components['schemas']['ItemFilter'];

/** Of what: of everything, of a folder or of a feed. */
export type Place = { kind: 'all' } | { kind: 'folder'; id: string } | { kind: 'feed'; id: string };

/** What a person did here and the server is to know: kept until it does, in the order it was done. */
export type Change = ItemChange | MarkChange | SettingsChange;

/** A change before it has its place. */
export type NewChange = Change extends infer One ? (One extends Change ? Omit<One, 'seq'> : never) : never;

type Numbered = {
  /** Its place in the order, and its key on the shelf. */
  seq: number;
  /** By how much it changes the unread counts of feeds, so that counts of the server can be shown with it. */
  shifts: Readonly<Record<string, number>>;
};

type State = { is_read?: boolean; is_starred?: boolean };

export type ItemChange = Numbered & { kind: 'item'; id: string; state: State /** What it was before. */; base: State };

export type MarkChange = Numbered & {
  kind: 'mark';
  place: Place;
  /** The feeds of the place; null for all. */
  feeds: readonly string[] | null;
  filter: ItemFilter;
  /** The latest arrival that was shown. */
  as_of: string | null;
  /** What was unread here before. */
  ids: readonly string[];
};

export type SettingsChange = Numbered & { kind: 'settings'; body: object };

/** One request. */
export type Batch =
  | { kind: 'items'; ids: string[]; state: State; seqs: number[] }
  | { kind: 'mark'; change: MarkChange; seqs: number[] }
  | { kind: 'settings'; body: object; seqs: number[] };

/** As many as the API takes at once. */
const MOST_ITEMS = 1_000;

/**
 * The changes with one more. What was done to the same item before becomes part of it, at its new place: marking everything
 * as read in between would else undo it. What is on its way already stays as it is.
 */
export function added(all: readonly Change[], change: Change, onItsWay: ReadonlySet<number> = new Set()): Change[] {
  const isSame = (one: Change) => one.kind === change.kind && keyOf(one) === keyOf(change) && !onItsWay.has(one.seq);
  const before = change.kind === 'mark' ? [] : all.filter(isSame);
  const rest = all.filter((one) => !before.includes(one));
  return [...rest, before.reduceRight<Change>((later, earlier) => merged(earlier, later), change)];
}

/** The changes without those that a later one says again: windows do not know of each other's. */
export function collapsed(all: readonly Change[]): Change[] {
  const sorted = all.toSorted((a, b) => a.seq - b.seq);
  return sorted.reduce<Change[]>((before, one) => added(before, one), []);
}

const keyOf = (change: Change) => (change.kind === 'item' ? change.id : change.kind);

function merged(earlier: Change, later: Change): Change {
  if (earlier.kind !== 'item' || later.kind !== 'item') return later;
  return {
    ...later,
    state: { ...earlier.state, ...later.state },
    base: { ...later.base, ...earlier.base },
    shifts: sum([earlier.shifts, later.shifts]),
  };
}

/** The requests that say all of it: of the items between two marks, those that were changed alike go together. */
export function batchesOf(all: readonly Change[]): Batch[] {
  const batches: Batch[] = [];
  let alike = new Map<string, Extract<Batch, { kind: 'items' }>>();
  for (const change of all) {
    if (change.kind !== 'item') {
      if (change.kind === 'mark') alike = new Map();
      const seqs = [change.seq];
      batches.push(
        change.kind === 'mark' ? { kind: 'mark', change, seqs } : { kind: 'settings', body: change.body, seqs },
      );
      continue;
    }
    const { id, state, seq } = change;
    const key = `${state.is_read} ${state.is_starred}`;
    const batch = alike.get(key);
    if (batch && batch.ids.length < MOST_ITEMS) {
      batch.ids.push(id);
      batch.seqs.push(seq);
    } else {
      const first = { kind: 'items' as const, ids: [id], state, seqs: [seq] };
      alike.set(key, first);
      batches.push(first);
    }
  }
  return batches;
}

type Markable = { id: string; feed_id: string; is_read: boolean; is_starred: boolean };

/** An item as it is once the server knows; the same object if that changes nothing. */
export function withChanges<T extends Markable>(item: T, all: readonly NewChange[]): T {
  let { is_read, is_starred } = item;
  for (const change of all) {
    if (change.kind === 'item' && change.id === item.id) {
      is_read = change.state.is_read ?? is_read;
      is_starred = change.state.is_starred ?? is_starred;
    } else if (change.kind === 'mark' && isMarked({ ...item, is_starred }, change)) {
      is_read = true;
    }
  }
  return is_read === item.is_read && is_starred === item.is_starred ? item : { ...item, is_read, is_starred };
}

/** Whether marking everything as read meant this item too. Ids ascend in the order of arrival. */
export function isMarked(item: Markable, { feeds, filter, as_of }: Omit<MarkChange, keyof Numbered>): boolean {
  if (feeds && !feeds.includes(item.feed_id)) return false;
  if (filter === 'starred' && !item.is_starred) return false;
  return as_of === null || BigInt(item.id) <= BigInt(as_of);
}

export function belongs(item: Markable, filter: ItemFilter): boolean {
  return filter === 'all' || (filter === 'unread' ? !item.is_read : item.is_starred);
}

/** By how much all of them change the unread counts of feeds. */
export function shiftsOf(all: readonly Change[]): Readonly<Record<string, number>> {
  return sum(all.map((change) => change.shifts));
}

function sum(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const shifts of all) {
    for (const [feed, shift] of Object.entries(shifts)) total[feed] = (total[feed] ?? 0) + shift;
  }
  return total;
}
