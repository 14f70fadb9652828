import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { findItem, itemQuery, useItemState } from '../api/items';
import type { RowActions } from '../content/row-parts';

/** The actions of items, the same functions for all rows. Opening an item marks it as read. */
export function useItemActions(openId: string | null, open: (id: string) => void): RowActions {
  const client = useQueryClient();
  const setState = useItemState();
  useEffect(() => {
    if (!openId) return;
    const read = () => {
      if (findItem(client, openId)?.is_read === false) setState(openId, { is_read: true });
    };
    if (findItem(client, openId)) read();
    else void client.fetchQuery(itemQuery(openId)).then(read, () => {});
  }, [client, openId, setState]);
  return useMemo(
    () => ({
      open,
      setRead: (id, is_read) => setState(id, { is_read }),
      setStarred: (id, is_starred) => setState(id, { is_starred }),
    }),
    [open, setState],
  );
}
