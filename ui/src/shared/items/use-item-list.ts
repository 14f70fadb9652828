import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { Item } from '../api/items';
import { useStable } from '../lib/use-stable';
import { useItemActions } from './use-item-actions';
import { useItemKeys } from './use-item-keys';

type ItemList = {
  items: readonly Item[];
  /** Identifies the list. Another list starts with nothing selected, or with `before`. */
  list: unknown;
  before?: string | null;
  reload: () => void;
  markAll?: () => void;
};

/** A list in which items open: the open item, the one that keys act on, and what can be done with them. */
export function useItemList({ items, list, before = null, reload, markAll }: ItemList) {
  const [openId, setOpen] = useOpenItem();
  const [chosen, setChosen] = useState({ list, id: openId ?? before });
  const choose = useCallback((id: string | null) => setChosen({ list, id }), [list]);
  const open = useCallback(
    (id: string | null) => {
      setOpen(id);
      if (id) choose(id);
    },
    [setOpen, choose],
  );
  const selectedId = openId ?? (chosen.list === list ? chosen.id : before);
  const actions = useItemActions(openId, open);
  useItemKeys({ items, selectedId, openId, choose, open, actions, reload, markAll });

  const openAt = items.findIndex((item) => item.id === openId);
  const known = items[openAt];
  const neighbours = { previous: items[openAt - 1] ?? null, next: (known && items[openAt + 1]) ?? null };
  return { openId, openAt, known, neighbours, selectedId, open, choose, actions };
}

/**
 * The item that is open. It is shown before the address has changed. Opening the first item adds a history entry, so that
 * "back" closes it; going on from it does not.
 */
function useOpenItem(): [openId: string | null, open: (id: string | null) => void] {
  const navigate = useNavigate();
  const { item = null } = useSearch({ strict: false });
  /** The item that the address will have; addresses in between are ignored. */
  const [next, setNext] = useState<{ id: string | null } | null>(null);
  useEffect(() => setNext((was) => (was?.id === item ? null : was)), [item]);
  const open = useStable((id: string | null) => {
    setNext(id === item ? null : { id });
    if (id === item) return;
    const replace = item !== null || id === null;
    void navigate({ to: '.', search: (search) => ({ ...search, item: id ?? undefined }), replace });
  });
  return [next ? next.id : item, open];
}
