import { api, body } from '../api/client';
import type { Item } from '../api/items';
import { pending } from '../api/pending';
import { withChanges } from './change';
import { getConnection } from './connection';
import { keepText } from './kept';
import { ownerOf, ownShelf } from './owner';
import type { Shelf } from './shelf';

/** As many as one reads on a train. */
const TEXTS_AHEAD = 50;
/** Slow enough to leave most of what the server allows in a minute to the person who reads. */
const PAUSE_MS = 1_500;
const KEPT = { items: 2_000, texts: 500, days: 30 };

let turn = 0;
let isPruned = false;

type Network = { saveData?: boolean; effectiveType?: string; type?: string };

/** Whether fetching what nobody asked for yet costs nobody anything. */
export function isCheap({ saveData, effectiveType, type }: Network): boolean {
  return !saveData && type !== 'cellular' && (effectiveType ?? '4g') === '4g';
}

/**
 * Fetches the texts that will probably be read, unread ones first; one after the other, behind everything else. It ends when
 * its reader goes, the connection goes, or another list comes.
 */
export async function fetchAhead(owner: string | null, items: readonly Item[]): Promise<void> {
  const own = ++turn;
  const isWanted = () => own === turn && owner !== null && owner === ownerOf() && getConnection() === 'online';
  const shelf = await ownShelf();
  if (!shelf) return;
  try {
    await prune(shelf);
    const network = (navigator as { connection?: Network }).connection ?? {};
    if (!isCheap(network)) return;
    const known = new Set(await shelf.keys('texts'));
    const wanted = items.filter((item) => !known.has(item.id)).sort((a, b) => Number(a.is_read) - Number(b.is_read));
    for (const { id } of wanted.slice(0, TEXTS_AHEAD)) {
      if (!isWanted() || document.visibilityState === 'hidden') return;
      const changes = pending.follow();
      const text = await body(api.GET('/api/items/{id}', { params: { path: { id } }, priority: 'low' }));
      if (owner === ownerOf()) keepText(withChanges(text, changes()));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } catch {
    // Then not; whoever opens one of them will be told why.
  }
}

/** Once for each page: what nobody has seen for long goes. */
async function prune(shelf: Shelf): Promise<void> {
  if (isPruned) return;
  isPruned = true;
  const since = Date.now() - KEPT.days * 24 * 60 * 60 * 1_000;
  await shelf.prune('items', KEPT.items, since);
  await shelf.prune('texts', KEPT.texts, since);
}
