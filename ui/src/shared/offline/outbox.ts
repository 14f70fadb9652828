import { Store } from '../lib/store';
import { added, type Batch, batchesOf, type Change, collapsed, type NewChange } from './change';
import type { Outcome } from './send';

/** Where changes are stored beyond the page. */
export type OutboxStorage = {
  all(): Promise<Change[]>;
  write(changes: readonly Change[], gone: readonly number[]): Promise<void>;
};

type Handlers = {
  onAcknowledged?: (changes: readonly Change[]) => void;
  onRefused?: (changes: readonly Change[]) => void;
};
type Listener = (outcome: Outcome) => void;

const MAX_WAIT_SECONDS = 60;
/** Changes of single items wait this long for others, so that they share a request. */
const BATCH_MS = 1_000;
/** Acknowledged changes are kept for answers that do not contain them. No list of this length is read in one go. */
const MAX_ACKNOWLEDGED = 5_000;

/**
 * The changes that the server has not acknowledged. Every change goes through here, online or not: it is stored, sent in its
 * order, and sent again until the server answers. The value of the store is all changes that an answer may not contain: the
 * acknowledged ones, which have a revision, and then the others.
 */
export class Outbox extends Store<readonly Change[]> {
  #pending: readonly Change[] = [];
  #acknowledged: readonly Change[] = [];
  #lastSeq = 0;
  #storage: OutboxStorage | null = null;
  #writes: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> | null = null;
  #request: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #isStuck = false;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #inFlight = new Set<number>();
  readonly #released = new Set<number>();
  readonly #onOutcome = new Map<number, Listener>();
  readonly #send: (batch: Batch) => Promise<Outcome>;
  readonly #handlers: Handlers;

  constructor(send: (batch: Batch) => Promise<Outcome>, handlers: Handlers = {}) {
    super([]);
    this.#send = send;
    this.#handlers = handlers;
  }

  /** The changes that the server has not acknowledged. */
  readonly pending = (): readonly Change[] => this.#pending;

  /** The last revision that is known. Answers to later requests contain it. */
  get revision(): number {
    return this.#acknowledged.at(-1)?.revision ?? 0;
  }

  /** True once the stored changes of the user are known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the answer to the current request is there: an answer that came before may contain its changes. */
  settled(): Promise<unknown> {
    return this.#request;
  }

  /** Opens the changes of a user, or closes them. */
  async open(storage: OutboxStorage | null): Promise<void> {
    clearTimeout(this.#timer);
    this.#acknowledged = [];
    // Changes from before the user was known are theirs.
    const early = this.#storage === null && storage !== null ? this.#pending : [];
    this.#storage = storage;
    this.#set([]);
    this.#replace(early);
    await this.refresh();
    this.#isOpen = storage !== null;
  }

  /** Reads the stored changes again: other tabs and the service worker add and send changes too. */
  async refresh(): Promise<void> {
    const [storage, writes] = [this.#storage, this.#writes];
    await writes;
    const stored = await storage?.all().catch(() => null);
    if (!stored || storage !== this.#storage) return undefined;
    // A change that was added meanwhile is not in it.
    if (writes !== this.#writes) return this.refresh();
    return this.#set(stored);
  }

  /** Stores a change and sends it. Returns its number. `onOutcome` is called for each attempt. */
  add(change: NewChange, onOutcome?: Listener): number {
    this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 1_000);
    const seq = this.#lastSeq;
    if (onOutcome) this.#onOutcome.set(seq, onOutcome);
    this.#replace(added(this.#pending, { ...change, seq }, this.#inFlight));
    if (change.kind === 'item' && this.#failures === 0) this.#schedule(BATCH_MS);
    else if (change.kind !== 'delete') void this.flush();
    return seq;
  }

  /** Removes a change that was not sent. False if it is too late. */
  withdraw(seq: number): boolean {
    if (this.#inFlight.has(seq) || !this.#pending.some((one) => one.seq === seq)) return false;
    this.#replace(this.#pending.filter((one) => one.seq !== seq));
    return true;
  }

  /** Sends a held change now. */
  release(seq: number): Promise<void> {
    this.#released.add(seq);
    return this.flush();
  }

  /** Sends everything, held changes too: the user is leaving. */
  async flushAll(): Promise<void> {
    for (const { seq } of this.#pending) this.#released.add(seq);
    await this.flush();
  }

  /** Sends everything without waiting, because the page is closing. What does not arrive is sent by the next page. */
  sendNow(): void {
    this.#replace(this.#pending.map((one) => (one.kind === 'delete' ? { ...one, held_until: 0 } : one)));
    if (!this.#isStuck) for (const batch of batchesOf(this.#sendable())) void this.#deliver(batch);
  }

  /** Sends what may be sent; one flush at a time. */
  flush(): Promise<void> {
    if (this.#sending) return this.#sending.then(() => (this.#mayGoOn() ? this.flush() : undefined));
    this.#sending = exclusive(() => this.#sendAll()).finally(() => {
      this.#sending = null;
      // Changes that were added during the last request.
      if (this.#mayGoOn()) this.#schedule(BATCH_MS);
    });
    return this.#sending;
  }

  /** Takes over changes that another tab has sent. */
  acknowledge(changes: readonly Change[]): void {
    const seqs = new Set(changes.map((one) => one.seq));
    this.#acknowledged = [...this.#acknowledged, ...changes].slice(-MAX_ACKNOWLEDGED);
    this.#set(this.#pending.filter((one) => !seqs.has(one.seq)));
  }

  #mayGoOn(): boolean {
    return this.#failures === 0 && !this.#isStuck && this.#sendable().length > 0;
  }

  #sendable(): readonly Change[] {
    const now = Date.now();
    const isHeld = (one: Change) => one.kind === 'delete' && one.held_until > now && !this.#released.has(one.seq);
    return this.#pending.filter((one) => !isHeld(one) && !this.#inFlight.has(one.seq));
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.refresh();
    this.#replace(collapsed(this.#pending));
    this.#isStuck = false;
    const last = Math.max(...this.#pending.map((one) => one.seq));
    while (true) {
      // Items that are added meanwhile wait for others, unless a change after them has to keep its order.
      const all = this.#sendable();
      const isWaiting = all.every((one) => one.kind === 'item' || one.seq <= last);
      const [batch] = batchesOf(isWaiting ? all.filter((one) => one.seq <= last) : all);
      if (!batch) return undefined;
      const outcome = await this.#deliver(batch);
      if (outcome.is === 'lost') return this.#retry(null);
      if (outcome.is === 'later') return this.#retry(outcome.seconds);
      // Until the user signs in.
      this.#isStuck = outcome.is === 'who';
      if (this.#isStuck) return undefined;
      this.#failures = 0;
    }
  }

  async #deliver(batch: Batch): Promise<Outcome> {
    for (const seq of batch.seqs) this.#inFlight.add(seq);
    const request = this.#send(batch);
    this.#request = request.catch(() => {});
    const outcome = await request;
    for (const seq of batch.seqs) this.#inFlight.delete(seq);
    for (const seq of batch.seqs) this.#onOutcome.get(seq)?.(outcome);
    if (outcome.is === 'lost' || outcome.is === 'later' || outcome.is === 'who') return outcome;
    const done = this.#pending.filter((one) => batch.seqs.includes(one.seq));
    if (outcome.is === 'sent') {
      const changes = done.map((one) => ({ ...one, revision: outcome.revision }));
      this.#acknowledged = [...this.#acknowledged, ...changes].slice(-MAX_ACKNOWLEDGED);
      this.#handlers.onAcknowledged?.(changes);
    }
    this.#replace(this.#pending.filter((one) => !done.includes(one)));
    for (const seq of batch.seqs) this.#onOutcome.delete(seq);
    if (outcome.is === 'refused') this.#handlers.onRefused?.(done);
    return outcome;
  }

  #schedule(ms: number) {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms);
  }

  #retry(seconds: number | null) {
    const wait = seconds ?? Math.min(2 ** ++this.#failures, MAX_WAIT_SECONDS);
    this.#failures = Math.max(1, this.#failures);
    this.#schedule(wait * 1_000);
  }

  #replace(pending: readonly Change[]) {
    const before = this.#pending;
    this.#set(pending);
    const storage = this.#storage;
    const put = pending.filter((one) => !before.includes(one));
    const gone = before.filter((one) => !pending.includes(one)).map((one) => one.seq);
    if (!storage || put.length + gone.length === 0) return;
    this.#writes = this.#writes
      .then(() => storage.write(put, gone))
      .catch(() => {
        // No space or no storage: the changes are only in memory from now on.
        if (storage === this.#storage) this.#storage = null;
      });
  }

  #set(pending: readonly Change[]) {
    this.#pending = pending;
    this.set([...this.#acknowledged, ...pending]);
  }
}

/** One tab at a time, where browsers support it. Sending a change twice does no harm where they do not. */
function exclusive<T>(work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  return locks ? (locks.request('kawaraban.changes', work) as Promise<T>) : work();
}
