import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Batch, Change, NewChange } from './change';
import { Outbox, type OutboxStorage } from './outbox';
import type { Outcome } from './send';

/** Where changes outlive a page. */
class Memory implements OutboxStorage {
  readonly kept = new Map<number, Change>();
  all = async () => [...this.kept.values()].map((one) => structuredClone(one));
  write = async (put: readonly Change[], gone: readonly number[]) => {
    for (const seq of gone) this.kept.delete(seq);
    for (const one of put) this.kept.set(one.seq, structuredClone(one));
  };
}

const change = (id: string, is_read = true): NewChange => ({
  kind: 'item',
  id,
  state: { is_read },
  shifts: {},
});
const sent: Outcome = { is: 'sent', answer: {}, revision: 7 };
const idsOf = (batch: Batch) => (batch.kind === 'items' ? `${batch.ids.join(' ')} ${batch.state.is_read}` : batch.kind);

let storage: Memory;
let server: (batch: Batch) => Promise<Outcome>;
let asked: string[];
const refused = vi.fn();

async function page(): Promise<Outbox> {
  const outbox = new Outbox(
    (batch) => {
      asked.push(idsOf(batch));
      return server(batch);
    },
    { onRefused: refused },
  );
  await outbox.open(storage);
  return outbox;
}

beforeEach(() => {
  vi.useFakeTimers();
  storage = new Memory();
  asked = [];
  server = async () => sent;
});

describe('what is done', () => {
  it('is sent at once, and then forgotten', async () => {
    const outbox = await page();
    outbox.add(change('1'));
    expect(outbox.pending()).toHaveLength(1);
    await outbox.flush();
    expect(asked).toEqual(['1 true']);
    expect(outbox.pending()).toEqual([]);
    expect(storage.kept.size).toBe(0);
  });

  it('outlives the page, and goes with the next one in its order', async () => {
    server = async () => ({ is: 'lost' });
    const before = await page();
    before.add(change('1'));
    before.add(change('2'));
    before.add(change('1', false));
    await before.flush();
    await before.refresh();
    expect(storage.kept.size).toBe(2);
    asked = [];
    server = async () => sent;
    const after = await page();
    expect(after.pending()).toHaveLength(2);
    await after.flush();
    expect(asked).toEqual(['2 true', '1 false']);
    expect(storage.kept.size).toBe(0);
  });

  it('is tried again by itself, as soon as the server wants it', async () => {
    const outcomes: Outcome[] = [{ is: 'later', seconds: 7 }, sent];
    server = async () => outcomes.shift() ?? sent;
    const outbox = await page();
    outbox.add(change('1'));
    await outbox.flush();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(2);
    expect(outbox.pending()).toEqual([]);
  });

  it('is not lost when it is done again while it is on its way', async () => {
    let answer: (outcome: Outcome) => void = () => {};
    server = () => new Promise((resolve) => (answer = resolve));
    const outbox = await page();
    outbox.add(change('1'));
    await expect.poll(() => asked).toEqual(['1 true']);
    outbox.add(change('1', false));
    answer(sent);
    await expect.poll(() => asked).toEqual(['1 true', '1 false']);
    answer(sent);
    await outbox.flush();
    expect(outbox.pending()).toEqual([]);
  });

  it('is not lost when it is done while the storage is being read', async () => {
    const outbox = await page();
    const read = storage.all;
    storage.all = async () => {
      storage.all = read;
      const kept = await read();
      outbox.add(change('2'));
      return kept;
    };
    outbox.add(change('1'));
    await outbox.flush();
    expect(asked).toEqual(['1 2 true']);
    expect(outbox.pending()).toEqual([]);
  });

  it('is theirs whose page it is, though it was done before that was known', async () => {
    server = async () => ({ is: 'lost' });
    const outbox = new Outbox((batch) => server(batch), { onRefused: refused });
    outbox.add(change('1'));
    await outbox.open(storage);
    expect(outbox.pending()).toHaveLength(1);
    expect(storage.kept.size).toBe(1);
    await outbox.open(null);
    expect(outbox.pending()).toEqual([]);
    expect(storage.kept.size).toBe(1);
  });

  it('waits for somebody to sign in', async () => {
    server = async () => ({ is: 'who' });
    const outbox = await page();
    outbox.add(change('1'));
    await outbox.flush();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toHaveLength(1);
    expect(storage.kept.size).toBe(1);
    // Nobody is here: nothing is shown, nothing is sent, everything is kept.
    await outbox.open(null);
    expect(outbox.pending()).toEqual([]);
    await outbox.flush();
    expect(asked).toHaveLength(1);
    expect(storage.kept.size).toBe(1);
  });

  it('is dropped without a word when the item is gone, and with words when it is refused', async () => {
    server = async () => ({ is: 'gone' });
    const outbox = await page();
    outbox.add(change('1'));
    await outbox.flush();
    expect(refused).not.toHaveBeenCalled();
    server = async () => ({ is: 'refused' });
    outbox.add(change('2'));
    await outbox.flush();
    expect(refused.mock.calls).toMatchObject([[[{ id: '2' }]]]);
    expect(storage.kept.size).toBe(0);
  });

  it('can be taken back before it is sent, and not after', async () => {
    server = async () => ({ is: 'lost' });
    const outbox = await page();
    const seq = outbox.add(change('1'));
    await outbox.flush();
    expect(outbox.withdraw(seq)).toBe(true);
    await outbox.refresh();
    expect(storage.kept.size).toBe(0);
    expect(outbox.withdraw(seq)).toBe(false);
  });

  it('is still sent where nothing can be kept', async () => {
    storage.write = () => Promise.reject(new DOMException('', 'QuotaExceededError'));
    const outbox = await page();
    outbox.add(change('1'));
    await outbox.flush();
    expect(asked).toEqual(['1 true']);
    expect(outbox.pending()).toEqual([]);
  });
});

it('changes of items are sent together', async () => {
  const outbox = await page();
  for (const id of ['1', '2', '3']) outbox.add(change(id));
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['1 2 3 true']);
});

it('a change that was added during a slow request is sent after it', async () => {
  let answer: (outcome: Outcome) => void = () => {};
  server = () => new Promise((resolve) => (answer = resolve));
  const outbox = await page();
  outbox.add(change('1'));
  await vi.advanceTimersByTimeAsync(1_000);
  outbox.add(change('2'));
  // Its time is over while the first request is still on its way.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual(['1 true']);
  answer(sent);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['1 true', '2 true']);
});

it('an acknowledged change has the revision that contains it', async () => {
  const outbox = await page();
  outbox.add(change('1'));
  await outbox.flush();
  expect(outbox.get()).toMatchObject([{ id: '1', revision: 7 }]);
  expect(outbox.revision).toBe(7);
});

describe('a delete', () => {
  const remove = (): NewChange => ({
    kind: 'delete',
    what: 'folders',
    id: 'x',
    held_until: Date.now() + 30_000,
    shifts: {},
  });

  it('is held while it can be undone', async () => {
    const outbox = await page();
    const seq = outbox.add(remove());
    await outbox.flush();
    expect(asked).toEqual([]);
    expect(outbox.withdraw(seq)).toBe(true);
    const other = outbox.add(remove());
    await outbox.release(other);
    expect(asked).toEqual(['other']);
    expect(storage.kept.size).toBe(0);
  });

  it('is sent at sign-out', async () => {
    const outbox = await page();
    outbox.add(remove());
    await outbox.flushAll();
    expect(asked).toEqual(['other']);
    expect(outbox.pending()).toEqual([]);
  });

  it('is sent when the tab closes, and by the next page if it did not arrive', async () => {
    server = async () => ({ is: 'lost' });
    const outbox = await page();
    outbox.add(remove());
    outbox.sendNow();
    expect(asked).toEqual(['other']);
    await outbox.refresh();
    server = async () => sent;
    const next = await page();
    await next.flush();
    expect(asked).toEqual(['other', 'other']);
    expect(storage.kept.size).toBe(0);
  });
});

it('what another window has sent is not sent again', async () => {
  server = async () => ({ is: 'lost' });
  const [one, other] = [await page(), await page()];
  one.add(change('1'));
  await one.flush();
  server = async () => sent;
  asked = [];
  await other.flush();
  await one.flush();
  expect(asked).toEqual(['1 true']);
  expect(one.pending()).toEqual([]);
});
