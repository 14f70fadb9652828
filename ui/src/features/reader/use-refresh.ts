import { useMutation } from '@tanstack/react-query';
import { api, done } from '@/shared/api/client';
import type { Scope } from '@/shared/api/items';

/** Loads the list anew; of a feed, has it fetched too. What is new then announces itself. */
export function useRefresh({ place }: Scope, reload: () => Promise<void>): () => void {
  // It was fetched within the last minute, or cannot be: the list is loaded anew all the same.
  const { mutate } = useMutation({
    mutationFn: (id: string) => done(api.POST('/api/feeds/{id}/refresh', { params: { path: { id } } })),
  });
  return () => {
    if (place.kind === 'feed') mutate(place.id);
    void reload();
  };
}
