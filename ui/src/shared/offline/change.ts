import type { components } from '../api/schema';

type ItemFilter = components['schemas']['ItemFilter'];

/** All items, a folder or a feed. */
export type Place = { kind: 'all' } | { kind: 'folder'; id: string } | { kind: 'feed'; id: string };

/** A write of the user. It stays in the outbox until the server has acknowledged it. */
export type Change = ItemChange | MarkChange | UndoChange | SettingsChange | DeleteChange;

/** A change before the outbox has numbered it. */
export type NewChange = Change extends infer One ? (One extends Change ? Omit<One, 'seq' | 'revision'> : never) : never;

type Numbered = {
  /** Its position in the outbox, and its key in the database. */
  seq: number;
  /** The revision that contains it. Set when the server has acknowledged it. */
  revision?: number;
  /** By how much it changes the unread counts, by feed. */
  shifts: Readonly<Record<string, number>>;
};

type State = { is_read?: boolean; is_starred?: boolean };

export type ItemChange = Numbered & { kind: 'item'; id: string; state: State };

/** Marks everything in a place as read. */
export type MarkChange = Numbered & {
  kind: 'mark';
  place: Place;
  /** The feeds of the place; null for all. */
  feeds: readonly string[] | null;
  filter: ItemFilter;
  /** The latest arrival that was shown. */
  as_of: string | null;
};

/** Undoes a mark that the server has acknowledged. */
export type UndoChange = Numbered & { kind: 'undo'; undo_token: string; ids: readonly string[] };

export type SettingsChange = Numbered & { kind: 'settings'; body: object };

/** Deletes a subscription or a folder. */
export type DeleteChange = Numbered & {
  kind: 'delete';
  what: 'subscriptions' | 'folders';
  id: string;
  /** Not sent before this time, in milliseconds, unless it is released: until then it can be undone. */
  held_until: number;
};

/** One request. */
export type Batch =
  | { kind: 'items'; ids: string[]; state: State; seqs: number[] }
  | { kind: 'other'; change: Exclude<Change, ItemChange>; seqs: number[] };

/** The API accepts at most this many items in one request. */
const MAX_ITEMS = 1_000;

/**
 * Adds a change. An earlier change of the same item, or of the settings, becomes part of it and takes its position: a mark in
 * between would undo it otherwise. Changes that are being sent stay as they are.
 */
export function added(all: readonly Change[], change: Change, inFlight: ReadonlySet<number> = new Set()): Change[] {
  const isSame = (one: Change) => one.kind === change.kind && keyOf(one) === keyOf(change) && !inFlight.has(one.seq);
  const before = change.kind === 'item' || change.kind === 'settings' ? all.filter(isSame) : [];
  const rest = all.filter((one) => !before.includes(one));
  return [...rest, before.reduceRight<Change>((later, earlier) => merged(earlier, later), change)];
}

/** Merges changes that other tabs have added. */
export function collapsed(all: readonly Change[]): Change[] {
  const sorted = all.toSorted((a, b) => a.seq - b.seq);
  return sorted.reduce<Change[]>((before, one) => added(before, one), []);
}

const keyOf = (change: Change) => (change.kind === 'item' ? change.id : change.kind);

function merged(earlier: Change, later: Change): Change {
  if (earlier.kind !== 'item' || later.kind !== 'item') return later;
  const shifts = { ...earlier.shifts };
  for (const [feed, shift] of Object.entries(later.shifts)) shifts[feed] = (shifts[feed] ?? 0) + shift;
  return { ...later, state: { ...earlier.state, ...later.state }, shifts };
}

/** The requests for these changes. Items between two marks that were changed alike share a request. */
export function batchesOf(all: readonly Change[]): Batch[] {
  const batches: Batch[] = [];
  let alike = new Map<string, Extract<Batch, { kind: 'items' }>>();
  for (const change of all) {
    if (change.kind !== 'item') {
      if (change.kind === 'mark' || change.kind === 'undo') alike = new Map();
      batches.push({ kind: 'other', change, seqs: [change.seq] });
      continue;
    }
    const { id, state, seq } = change;
    const key = `${state.is_read} ${state.is_starred}`;
    const batch = alike.get(key);
    if (batch && batch.ids.length < MAX_ITEMS) {
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
