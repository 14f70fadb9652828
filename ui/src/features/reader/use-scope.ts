import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Scope } from '@/shared/api/items';

/** The list of the address. */
export function useScope(): Scope {
  const { feedId, folderId } = useParams({ strict: false });
  const { filter = 'all', order = 'newest' } = useSearch({ strict: false });
  return useMemo<Scope>(() => {
    if (feedId) return { place: { kind: 'feed', id: feedId }, filter, order };
    if (folderId) return { place: { kind: 'folder', id: folderId }, filter, order };
    return { place: { kind: 'all' }, filter, order };
  }, [feedId, folderId, filter, order]);
}

/** Changes the filter or the order of the list, and closes the open item. */
export function useChangeScope(): (change: Partial<Pick<Scope, 'filter' | 'order'>>) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) => void navigate({ to: '.', search: (search) => ({ ...search, ...change, item: undefined }) }),
    [navigate],
  );
}
