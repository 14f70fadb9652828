import { useQueryClient } from '@tanstack/react-query';
import { findItem, type Item } from '../api/items';
import type { RowActions } from '../content/row-parts';
import { useKeys } from '../keys/use-keys';

/** The item after or before the selected one; the first if none is selected, undefined beyond the ends. */
export function step(items: readonly Item[], from: string | null, by: 1 | -1): Item | undefined {
  const at = items.findIndex((item) => item.id === from);
  return at < 0 ? items[0] : items[at + by];
}

type ItemKeys = {
  items: readonly Item[];
  selectedId: string | null;
  openId: string | null;
  choose: (id: string) => void;
  open: (id: string | null) => void;
  actions: RowActions;
  reload: () => void;
  /** Left out where there is no such action. */
  markAll?: () => void;
};

/** The keys of a list of items. */
export function useItemKeys(list: ItemKeys): void {
  const { items, selectedId, openId, choose, open, actions, reload, markAll } = list;
  const client = useQueryClient();
  // The open item may not be in the list: it can be opened by its address.
  const chosen = () => items.find((one) => one.id === selectedId) ?? (openId ? findItem(client, openId) : undefined);
  const go = (by: 1 | -1, to: (id: string) => void) => () => {
    const next = step(items, selectedId, by);
    if (next) to(next.id);
  };
  const select = (id: string) => {
    if (openId !== null) open(null);
    choose(id);
  };
  const change = (what: (item: Item) => void) => () => {
    const item = chosen();
    if (item) what(item);
  };
  useKeys({
    nextOpen: go(1, open),
    previousOpen: go(-1, open),
    next: go(1, select),
    previous: go(-1, select),
    open: () => open(openId === null ? ((chosen() ?? items[0])?.id ?? null) : null),
    original: change((item) => {
      if (!item.link) return;
      window.open(item.link, '_blank', 'noopener,noreferrer');
      if (!item.is_read) actions.setRead(item.id, true);
    }),
    read: change((item) => actions.setRead(item.id, !item.is_read)),
    star: change((item) => actions.setStarred(item.id, !item.is_starred)),
    all: markAll ?? false,
    reload,
    close: openId !== null && (() => open(null)),
  });
}
