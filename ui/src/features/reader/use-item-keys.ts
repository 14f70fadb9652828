import type { Item } from '@/shared/api/items';
import { useKeys } from '@/shared/keys/use-keys';
import type { RowActions } from './item-row';

/** Where a step from the chosen item leads: beyond an end, nowhere; with nothing chosen, to the first. */
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
  markAll: () => void;
};

/** The keys of the list. */
export function useItemKeys({ items, selectedId, openId, choose, open, actions, reload, markAll }: ItemKeys): void {
  const item = items.find((one) => one.id === selectedId);
  const go = (by: 1 | -1, to: (id: string) => void) => () => {
    const next = step(items, selectedId, by);
    if (next) to(next.id);
  };
  const select = (id: string) => {
    if (openId !== null) open(null);
    choose(id);
  };
  const toggle = () => {
    if (openId !== null) open(null);
    else if (item ?? items[0]) open((item ?? items[0])?.id ?? null);
  };
  useKeys({
    j: go(1, open),
    k: go(-1, open),
    n: go(1, select),
    p: go(-1, select),
    o: toggle,
    Enter: toggle,
    v: () => {
      if (!item?.link) return;
      window.open(item.link, '_blank', 'noopener,noreferrer');
      if (!item.is_read) actions.setRead(item.id, true);
    },
    m: () => item && actions.setRead(item.id, !item.is_read),
    s: () => item && actions.setStarred(item.id, !item.is_starred),
    A: markAll,
    r: reload,
    ...(openId !== null && { Escape: () => open(null) }),
  });
}
