import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Batch, Change, NewChange } from './change';
import { type Drawer, Queue } from './queue';
import type { Outcome } from './send';

/** Where changes outlive a page. */
class Memory implements Drawer {
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
  base: { is_read: !is_read },
  shifts: {},
});
const sent: Outcome = { is: 'sent', answer: {} };
const idsOf = (batch: Batch) => (batch.kind === 'items' ? `${batch.ids.join(' ')} ${batch.state.is_read}` : batch.kind);

let drawer: Memory;
let server: (batch: Batch) => Promise<Outcome>;
let asked: string[];
const refused = vi.fn();

async function page(): Promise<Queue> {
  const queue = new Queue((batch) => {
    asked.push(idsOf(batch));
    return server(batch);
  }, refused);
  await queue.open(drawer);
  return queue;
}

beforeEach(() => {
  vi.useFakeTimers();
  drawer = new Memory();
  asked = [];
  server = async () => sent;
});

describe('what is done', () => {
  it('is sent at once, and then forgotten', async () => {
    const queue = await page();
    queue.add(change('1'));
    expect(queue.get()).toHaveLength(1);
    await queue.flush();
    expect(asked).toEqual(['1 true']);
    expect(queue.get()).toEqual([]);
    expect(drawer.kept.size).toBe(0);
  });

  it('outlives the page, and goes with the next one in its order', async () => {
    server = async () => ({ is: 'lost' });
    const before = await page();
    before.add(change('1'));
    before.add(change('2'));
    before.add(change('1', false));
    await before.flush();
    await before.refresh();
    expect(drawer.kept.size).toBe(2);
    asked = [];
    server = async () => sent;
    const after = await page();
    expect(after.get()).toHaveLength(2);
    await after.flush();
    expect(asked).toEqual(['2 true', '1 false']);
    expect(drawer.kept.size).toBe(0);
  });

  it('is tried again by itself, as soon as the server wants it', async () => {
    const outcomes: Outcome[] = [{ is: 'later', seconds: 7 }, sent];
    server = async () => outcomes.shift() ?? sent;
    const queue = await page();
    queue.add(change('1'));
    await queue.flush();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(2);
    expect(queue.get()).toEqual([]);
  });

  it('is not lost when it is done again while it is on its way', async () => {
    let answer: (outcome: Outcome) => void = () => {};
    server = () => new Promise((resolve) => (answer = resolve));
    const queue = await page();
    queue.add(change('1'));
    await expect.poll(() => asked).toEqual(['1 true']);
    queue.add(change('1', false));
    answer(sent);
    await expect.poll(() => asked).toEqual(['1 true', '1 false']);
    answer(sent);
    await queue.flush();
    expect(queue.get()).toEqual([]);
  });

  it('is not lost when it is done while the drawer is being read', async () => {
    const queue = await page();
    const read = drawer.all;
    drawer.all = async () => {
      drawer.all = read;
      const kept = await read();
      queue.add(change('2'));
      return kept;
    };
    queue.add(change('1'));
    await queue.flush();
    expect(asked).toEqual(['1 2 true']);
    expect(queue.get()).toEqual([]);
  });

  it('is theirs whose page it is, though it was done before that was known', async () => {
    server = async () => ({ is: 'lost' });
    const queue = new Queue((batch) => server(batch), refused);
    queue.add(change('1'));
    await queue.open(drawer);
    expect(queue.get()).toHaveLength(1);
    expect(drawer.kept.size).toBe(1);
    await queue.open(null);
    expect(queue.get()).toEqual([]);
    expect(drawer.kept.size).toBe(1);
  });

  it('waits for somebody to sign in', async () => {
    server = async () => ({ is: 'who' });
    const queue = await page();
    queue.add(change('1'));
    await queue.flush();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toHaveLength(1);
    expect(drawer.kept.size).toBe(1);
    // Nobody is here: nothing is shown, nothing is sent, everything is kept.
    await queue.open(null);
    expect(queue.get()).toEqual([]);
    await queue.flush();
    expect(asked).toHaveLength(1);
    expect(drawer.kept.size).toBe(1);
  });

  it('is dropped without a word when the item is gone, and with words when it is refused', async () => {
    server = async () => ({ is: 'gone' });
    const queue = await page();
    queue.add(change('1'));
    await queue.flush();
    expect(refused).not.toHaveBeenCalled();
    server = async () => ({ is: 'refused' });
    queue.add(change('2'));
    await queue.flush();
    expect(refused.mock.calls).toMatchObject([[[{ id: '2', base: { is_read: false } }]]]);
    expect(drawer.kept.size).toBe(0);
  });

  it('can be taken back before it is sent, and not after', async () => {
    server = async () => ({ is: 'lost' });
    const queue = await page();
    const seq = queue.add(change('1'));
    await queue.flush();
    expect(queue.withdraw(seq)).toBe(true);
    await queue.refresh();
    expect(drawer.kept.size).toBe(0);
    expect(queue.withdraw(seq)).toBe(false);
  });

  it('is still sent where nothing can be kept', async () => {
    drawer.write = () => Promise.reject(new DOMException('', 'QuotaExceededError'));
    const queue = await page();
    queue.add(change('1'));
    await queue.flush();
    expect(asked).toEqual(['1 true']);
    expect(queue.get()).toEqual([]);
  });
});

it('what arrived while an answer was on its way may not be in it', async () => {
  const queue = await page();
  queue.add(change('1'));
  await queue.flush();
  const changes = queue.follow();
  expect(changes()).toEqual([]);
  queue.add(change('2'));
  await queue.flush();
  server = async () => ({ is: 'lost' });
  queue.add(change('3'));
  await queue.flush();
  expect(changes()).toMatchObject([{ id: '2' }, { id: '3' }]);
  expect(queue.follow()()).toMatchObject([{ id: '3' }]);
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
  expect(one.get()).toEqual([]);
});
