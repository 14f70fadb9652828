import { added, type Batch, batchesOf, type Change, collapsed, type NewChange } from './change';
import type { Outcome } from './send';

/** Where changes are kept beyond the page. */
export type Drawer = {
  all(): Promise<Change[]>;
  write(changes: readonly Change[], gone: readonly number[]): Promise<void>;
};

type Listener = (outcome: Outcome) => void;

const LONGEST_WAIT_SECONDS = 60;
/** More than can be done while one answer is on its way. */
const MOST_ARRIVED = 1_000;

/**
 * The changes that the server does not know of yet. All go through here, connection or not: kept first, then sent in their
 * order, and again later if nobody answers.
 */
export class Queue {
  #all: readonly Change[] = [];
  #last = 0;
  #arrived: readonly Change[] = [];
  #arrivedCount = 0;
  #drawer: Drawer | null = null;
  #writes: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> | null = null;
  #onItsWay: ReadonlySet<number> = new Set();
  #failures = 0;
  #isStuck = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #send: (batch: Batch) => Promise<Outcome>;
  readonly #onRefused: (changes: readonly Change[]) => void;
  readonly #onOutcome = new Map<number, Listener>();
  readonly #listeners = new Set<() => void>();

  constructor(send: (batch: Batch) => Promise<Outcome>, onRefused: (changes: readonly Change[]) => void) {
    this.#send = send;
    this.#onRefused = onRefused;
  }

  readonly get = (): readonly Change[] => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * To be called before the server is asked for something: gives a function that says, when the answer is there, which changes
   * may not be in it. Those that arrived meanwhile are among them.
   */
  follow(): () => readonly Change[] {
    const before = this.#arrivedCount;
    return () => {
      const count = Math.min(this.#arrivedCount - before, this.#arrived.length);
      return count === 0 ? this.#all : [...this.#arrived.slice(-count), ...this.#all];
    };
  }

  /** Somebody is here, whose changes are in this drawer; or nobody, whose are none. */
  async open(drawer: Drawer | null): Promise<void> {
    clearTimeout(this.#timer);
    this.#arrived = [];
    // What was done before it was known who is here is theirs.
    const early = this.#drawer === null && drawer !== null ? this.#all : [];
    this.#drawer = drawer;
    this.#set([]);
    this.#replace(early);
    await this.refresh();
  }

  /** Other windows and the service worker put in and take out as well. */
  async refresh(): Promise<void> {
    const [drawer, writes] = [this.#drawer, this.#writes];
    await writes;
    const kept = await drawer?.all().catch(() => null);
    if (!kept || drawer !== this.#drawer) return undefined;
    // What was added while the drawer was read is not in it.
    if (writes !== this.#writes) return this.refresh();
    return this.#set(kept);
  }

  /** Keeps a change and sends it; gives its number. `onOutcome` hears of each try. */
  add(change: NewChange, onOutcome?: Listener): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1_000);
    const seq = this.#last;
    if (onOutcome) this.#onOutcome.set(seq, onOutcome);
    this.#replace(added(this.#all, { ...change, seq }, this.#onItsWay));
    void this.flush();
    return seq;
  }

  /** Takes a change back that was not sent yet; false if it is too late for that. */
  withdraw(seq: number): boolean {
    if (this.#onItsWay.has(seq) || !this.#all.some((one) => one.seq === seq)) return false;
    this.#replace(this.#all.filter((one) => one.seq !== seq));
    return true;
  }

  /** Sends what there is, one flush at a time. */
  flush(): Promise<void> {
    this.#sending ??= alone(() => this.#sendAll()).finally(() => {
      this.#sending = null;
      // What came while the last answer was on its way.
      if (this.#failures === 0 && this.#all.length > 0 && !this.#isStuck) void this.flush();
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    await this.refresh();
    this.#replace(collapsed(this.#all));
    this.#isStuck = false;
    for (let batch = batchesOf(this.#all)[0]; batch; batch = batchesOf(this.#all)[0]) {
      const seqs = new Set(batch.seqs);
      this.#onItsWay = seqs;
      const outcome = await this.#send(batch);
      this.#onItsWay = new Set();
      for (const seq of seqs) this.#onOutcome.get(seq)?.(outcome);
      if (outcome.is === 'lost') return this.#waitFor(null);
      if (outcome.is === 'later') return this.#waitFor(outcome.seconds);
      // Until somebody signs in.
      if (outcome.is === 'who') {
        this.#isStuck = true;
        return undefined;
      }
      this.#failures = 0;
      const gone = this.#all.filter((one) => seqs.has(one.seq));
      if (outcome.is === 'sent') {
        this.#arrived = [...this.#arrived, ...gone].slice(-MOST_ARRIVED);
        this.#arrivedCount += gone.length;
      }
      this.#replace(this.#all.filter((one) => !seqs.has(one.seq)));
      for (const seq of seqs) this.#onOutcome.delete(seq);
      if (outcome.is === 'refused') this.#onRefused(gone);
    }
    return undefined;
  }

  #waitFor(seconds: number | null) {
    const wait = seconds ?? Math.min(2 ** ++this.#failures, LONGEST_WAIT_SECONDS);
    this.#failures = Math.max(1, this.#failures);
    this.#timer = setTimeout(() => void this.flush(), wait * 1_000);
  }

  #replace(all: readonly Change[]) {
    const before = this.#all;
    this.#set(all);
    const drawer = this.#drawer;
    const put = all.filter((one) => !before.includes(one));
    const gone = before.filter((one) => !all.includes(one)).map((one) => one.seq);
    if (!drawer || put.length + gone.length === 0) return;
    this.#writes = this.#writes
      .then(() => drawer.write(put, gone))
      .catch(() => {
        // No room, or no storage at all: from now on in memory alone.
        if (drawer === this.#drawer) this.#drawer = null;
      });
  }

  #set(all: readonly Change[]) {
    this.#all = all;
    for (const listener of this.#listeners) listener();
  }
}

/** One window at a time, where browsers can do that; twice the same does no harm where they cannot. */
export function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  return locks ? (locks.request('kawaraban.changes', work) as Promise<T>) : work();
}
