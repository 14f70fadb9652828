import type { components } from '../api/schema';
import type { Change, DeleteChange, ItemChange, MarkChange, UndoChange } from './change';

type Stateful = { id: string; feed_id: string; is_read: boolean; is_starred: boolean };
type Counted = { id: string; feed_id: string; unread_count: number; revision?: number };

/** Changes by what they apply to. Made once for each state of the outbox. */
type Index = { byItem: Map<string, ItemChange[]>; wide: (MarkChange | UndoChange)[]; deleted: Set<string> };
const indexes = new WeakMap<readonly Change[], Index>();

function indexOf(changes: readonly Change[]): Index {
  let index = indexes.get(changes);
  if (!index) {
    const isDelete = (change: Change): change is DeleteChange => change.kind === 'delete';
    index = { byItem: new Map(), wide: [], deleted: new Set(changes.filter(isDelete).map((change) => change.id)) };
    for (const change of changes) {
      if (change.kind === 'mark' || change.kind === 'undo') index.wide.push(change);
      if (change.kind !== 'item') continue;
      const before = index.byItem.get(change.id);
      if (before) before.push(change);
      else index.byItem.set(change.id, [change]);
    }
    indexes.set(changes, index);
  }
  return index;
}

/** True if an answer of this revision does not contain the change. */
const isMissing = ({ revision }: Change, from: number) => revision === undefined || revision > from;

/** The last overlaid object of an item: a row is drawn again only if its item is another object. */
const overlaid = new WeakMap<object, Stateful>();

/** An item of an answer with the changes that the answer does not contain; the same object if nothing changes. */
export function overlayItem<T extends Stateful>(item: T, changes: readonly Change[], revision = 0): T {
  const { byItem, wide } = indexOf(changes);
  const own = byItem.get(item.id);
  if (!own && wide.length === 0) return item;
  let { is_read, is_starred } = item;
  for (const change of [...wide, ...(own ?? [])].sort((a, b) => a.seq - b.seq)) {
    if (!isMissing(change, revision)) continue;
    if (change.kind === 'item') {
      is_read = change.state.is_read ?? is_read;
      is_starred = change.state.is_starred ?? is_starred;
    } else if (change.kind === 'undo') {
      if (change.ids.includes(item.id)) is_read = false;
    } else if (isMarked({ ...item, is_starred }, change)) {
      is_read = true;
    }
  }
  if (is_read === item.is_read && is_starred === item.is_starred) return item;
  const last = overlaid.get(item);
  if (last?.is_read === is_read && last.is_starred === is_starred) return last as T;
  const result = { ...item, is_read, is_starred };
  overlaid.set(item, result);
  return result;
}

/** Whether a mark applies to this item. Ids ascend in the order of arrival. */
export function isMarked(
  item: Stateful,
  { feeds, filter, as_of }: Pick<MarkChange, 'feeds' | 'filter' | 'as_of'>,
): boolean {
  if (feeds && !feeds.includes(item.feed_id)) return false;
  if (filter === 'starred' && !item.is_starred) return false;
  return as_of === null || BigInt(item.id) <= BigInt(as_of);
}

/** Whether a list with this filter contains the item. */
export const filters = {
  all: () => true,
  unread: (item) => !item.is_read,
  starred: (item) => item.is_starred,
} satisfies Record<components['schemas']['ItemFilter'], (item: Stateful) => boolean>;

/** Subscriptions of an answer with the changes that it does not contain. */
export function overlaySubscriptions<T extends Counted>(all: T[], changes: readonly Change[]): T[] {
  const { deleted } = indexOf(changes);
  const shifted = changes.filter(({ shifts }) => Object.keys(shifts).length > 0);
  if (shifted.length === 0 && deleted.size === 0) return all;
  return all.flatMap((one) => {
    if (deleted.has(one.id)) return [];
    const missing = shifted.filter((change) => isMissing(change, one.revision ?? Number.POSITIVE_INFINITY));
    const shift = missing.reduce((sum, { shifts }) => sum + (shifts[one.feed_id] ?? 0), 0);
    return shift === 0 ? [one] : [{ ...one, unread_count: Math.max(0, one.unread_count + shift) }];
  });
}

/** Folders of an answer without those that the user has deleted. */
export function overlayFolders<T extends { id: string }>(all: T[], changes: readonly Change[]): T[] {
  const { deleted } = indexOf(changes);
  return all.some(({ id }) => deleted.has(id)) ? all.filter(({ id }) => !deleted.has(id)) : all;
}
