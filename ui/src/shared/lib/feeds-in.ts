type Place = { kind: 'all' } | { kind: 'folder' | 'feed'; id: string };

/** The subscriptions in a place: all, those of a folder, or the one to a feed. */
export function feedsIn<T extends { feed_id: string; folder_id: string | null }>(place: Place, all: readonly T[]): T[] {
  return all.filter(
    (one) => place.kind === 'all' || place.id === (place.kind === 'feed' ? one.feed_id : one.folder_id),
  );
}
