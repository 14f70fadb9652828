import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Scope } from '@/shared/api/items';

/** Which list the address names. */
export function useScope(): Scope {
  const { feedId, folderId } = useParams({ strict: false });
  const { filter = 'all', order = 'newest' } = useSearch({ strict: false });
  return useMemo<Scope>(() => {
    if (feedId) return { place: { kind: 'feed', id: feedId }, filter, order };
    if (folderId) return { place: { kind: 'folder', id: folderId }, filter, order };
    return { place: { kind: 'all' }, filter, order };
  }, [feedId, folderId, filter, order]);
}

/**
 * Which item is open, and how another is. The page shows it at once, the address follows: the first one is a step that "back"
 * takes back, going on from it is not.
 */
export function useOpenItem(): [openId: string | null, open: (id: string | null) => void] {
  const navigate = useNavigate();
  const { item = null } = useSearch({ strict: false });
  const [openId, setOpenId] = useState(item);
  const [seen, setSeen] = useState(item);
  /** What the address is on its way to; what it passes meanwhile is old. */
  const target = useRef<{ id: string | null } | null>(null);
  // While it is drawn, not after: with another list, nothing of the last one is shown for a moment.
  if (item !== seen) {
    setSeen(item);
    if (!target.current || target.current.id === item) {
      target.current = null;
      setOpenId(item);
    }
  }
  // Always the same function: rows that were given it need not be drawn anew.
  const address = useRef(item);
  address.current = item;
  const open = useCallback(
    (id: string | null) => {
      setOpenId(id);
      if (id === address.current) {
        target.current = null;
        return;
      }
      target.current = { id };
      const replace = address.current !== null || id === null;
      void navigate({ to: '.', search: (search) => ({ ...search, item: id ?? undefined }), replace });
    },
    [navigate],
  );
  return [openId, open];
}

/** Changes what the list shows; what was open is closed. */
export function useChangeScope(): (change: Partial<Pick<Scope, 'filter' | 'order'>>) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) => void navigate({ to: '.', search: (search) => ({ ...search, ...change, item: undefined }) }),
    [navigate],
  );
}
