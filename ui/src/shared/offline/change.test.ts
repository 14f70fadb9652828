import { describe, expect, it } from 'vitest';
import { added, batchesOf, type Change, collapsed, type MarkChange } from './change';
import { isMarked, overlayFolders, overlayItem, overlaySubscriptions } from './overlay';

const read = (seq: number, id: string, is_read = true): Change => ({
  kind: 'item',
  seq,
  id,
  state: { is_read },
  shifts: { f: is_read ? -1 : 1 },
});
const star = (seq: number, id: string, is_starred = true): Change => ({
  kind: 'item',
  seq,
  id,
  state: { is_starred },
  shifts: {},
});
const mark = (seq: number, over: Partial<MarkChange> = {}): MarkChange => ({
  kind: 'mark',
  seq,
  place: { kind: 'all' },
  feeds: null,
  filter: 'all',
  as_of: '20',
  shifts: { f: -3 },
  ...over,
});
const settings = (seq: number, theme: string): Change => ({ kind: 'settings', seq, body: { theme }, shifts: {} });
const item = { id: '10', feed_id: 'f', is_read: false, is_starred: false };

describe('a change of the same item', () => {
  it('becomes one with the one before: the last word counts, what it was first is known', () => {
    const all = added(added([], read(1, '10')), star(2, '10'));
    expect(all).toEqual([
      {
        kind: 'item',
        seq: 2,
        id: '10',
        state: { is_read: true, is_starred: true },
        shifts: { f: -1 },
      },
    ]);
    const back = added(all, read(3, '10', false));
    expect(back).toHaveLength(1);
    expect(back[0]).toMatchObject({ state: { is_read: false }, shifts: { f: 0 } });
  });

  it('leaves alone what is on its way', () => {
    const all = added([read(1, '10')], read(2, '10', false), new Set([1]));
    expect(all.map((one) => one.seq)).toEqual([1, 2]);
    // Not before the first one failed do they become one, in the order in which they were done.
    expect(collapsed(all)).toMatchObject([{ seq: 2, state: { is_read: false } }]);
    expect(collapsed([...all].reverse())).toMatchObject([{ seq: 2, state: { is_read: false } }]);
  });

  it('comes after what was done in between', () => {
    const all = [read(1, '10'), mark(2), read(3, '10', false)].reduce<Change[]>(
      (before, one) => added(before, one),
      [],
    );
    expect(all.map((one) => one.kind)).toEqual(['mark', 'item']);
    expect(overlayItem(item, all)).toBe(item);
  });
});

it('settings replace settings; marks stay what they are', () => {
  expect(added([settings(1, 'dark')], settings(2, 'light'))).toEqual([settings(2, 'light')]);
  expect(added([mark(1)], mark(2))).toHaveLength(2);
});

describe('requests', () => {
  it('take together what was changed alike, and never across a mark', () => {
    const all = [read(1, '1'), star(2, '2'), read(3, '3'), mark(4), read(5, '5')];
    expect(batchesOf(all).map((batch) => (batch.kind === 'items' ? [batch.ids, batch.seqs] : batch.kind))).toEqual([
      [
        ['1', '3'],
        [1, 3],
      ],
      [['2'], [2]],
      'other',
      [['5'], [5]],
    ]);
  });

  it('have as many items as the API takes', () => {
    const all = Array.from({ length: 1_001 }, (_, at) => read(at + 1, String(at + 1)));
    expect(batchesOf(all).map((batch) => batch.seqs.length)).toEqual([1_000, 1]);
  });
});

describe('an item that the server does not know to be changed', () => {
  it('is shown as it will be', () => {
    expect(overlayItem(item, [read(1, '10'), star(2, '10')])).toMatchObject({ is_read: true, is_starred: true });
    expect(overlayItem(item, [read(1, '11')])).toBe(item);
    expect(overlayItem(item, [mark(1)])).toMatchObject({ is_read: true });
  });

  it('is marked with all others only where and when that was meant', () => {
    expect(isMarked(item, mark(1, { feeds: ['g'] }))).toBe(false);
    expect(isMarked(item, mark(1, { feeds: ['g', 'f'] }))).toBe(true);
    expect(isMarked(item, mark(1, { filter: 'starred' }))).toBe(false);
    expect(isMarked({ ...item, is_starred: true }, mark(1, { filter: 'starred' }))).toBe(true);
    // As numbers: 9 came before 10.
    expect(isMarked(item, mark(1, { as_of: '9' }))).toBe(false);
    expect(isMarked(item, mark(1, { as_of: '10' }))).toBe(true);
    expect(isMarked(item, mark(1, { as_of: null }))).toBe(true);
  });
});

describe('an answer with a revision', () => {
  const acknowledged = (change: Change, revision: number): Change => ({ ...change, revision });
  const feed = (revision?: number) => ({ id: 's', feed_id: 'f', unread_count: 8, revision });
  const count = (changes: Change[], revision?: number) =>
    overlaySubscriptions([feed(revision)], changes)[0]?.unread_count;

  it('gets the changes that it does not contain, and no others', () => {
    const changes = [acknowledged(read(1, '10'), 5), read(2, '11')];
    expect([4, 5].map((revision) => count(changes, revision))).toEqual([6, 7]);
    expect(overlayItem(item, changes, 4).is_read).toBe(true);
    expect(overlayItem(item, changes, 5)).toBe(item);
  });

  it('without one contains all acknowledged changes', () => {
    expect(count([acknowledged(read(1, '10'), 5), read(2, '11')])).toBe(7);
  });

  it('never has a count below 0', () => {
    expect(count([mark(1, { shifts: { f: -9 } })], 1)).toBe(0);
  });

  it('shows the same object for the same state', () => {
    const [before, after] = [[read(1, '10')], [read(1, '10'), read(2, '11')]];
    expect(overlayItem(item, after)).toBe(overlayItem(item, before));
  });
});

it('an undone mark makes its items unread', () => {
  const undo: Change = { kind: 'undo', seq: 2, undo_token: 'u', ids: ['10'], shifts: { f: 3 } };
  expect(overlayItem(item, [mark(1), undo])).toBe(item);
});

it('what is deleted is not shown', () => {
  const gone = (what: 'subscriptions' | 'folders'): Change => ({
    kind: 'delete',
    seq: 1,
    what,
    id: 'x',
    held_until: 0,
    shifts: {},
  });
  const feed = { id: 'x', feed_id: 'f', unread_count: 1 };
  expect(overlaySubscriptions([feed], [gone('subscriptions')])).toEqual([]);
  expect(overlayFolders([{ id: 'x' }, { id: 'y' }], [gone('folders')])).toEqual([{ id: 'y' }]);
});
