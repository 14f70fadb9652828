import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Scope } from '@/shared/api/items';
import { useStable } from '@/shared/lib/use-stable';

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
 * The item that is open. It is shown before the address has changed. Opening the first item adds a history entry, so that
 * "back" closes it; going on from it does not.
 */
export function useOpenItem(): [openId: string | null, open: (id: string | null) => void] {
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

/** Changes what the list shows; what was open is closed. */
export function useChangeScope(): (change: Partial<Pick<Scope, 'filter' | 'order'>>) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) => void navigate({ to: '.', search: (search) => ({ ...search, ...change, item: undefined }) }),
    [navigate],
  );
}
