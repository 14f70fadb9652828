import { getConnection } from '../lib/connection';
import type { OfflineDb } from '../offline/offline-db';
import { sessionDb } from '../offline/session-user';
import { type ItemPages, requestPage, type Scope } from './items';

const MAX = { items: 2_000, texts: 500, days: 30 };

let isPruned = false;

type Network = { saveData?: boolean; effectiveType?: string; type?: string };

/** Whether the user pays for traffic by the byte. */
export function isMetered({ saveData, effectiveType, type }: Network): boolean {
  return saveData === true || type === 'cellular' || (effectiveType ?? '4g') !== '4g';
}

/** Fetches the texts of a list before they are opened, one request for each page that lacks some. */
export async function fetchTextsAhead(scope: Scope, { pages, pageParams }: ItemPages): Promise<void> {
  const db = await sessionDb();
  if (!db) return;
  try {
    await prune(db);
    if (isMetered((navigator as { connection?: Network }).connection ?? {})) return;
    const known = new Set(await db.keys('texts'));
    for (const [at, page] of pages.entries()) {
      if (page.is_cached || page.items.every(({ id }) => known.has(id))) continue;
      if (getConnection() !== 'online' || document.visibilityState === 'hidden') return;
      await requestPage(scope, pageParams[at] ?? null, undefined, 'content');
    }
  } catch {
    // Texts that are missing are fetched when they are opened.
  }
}

/** Deletes old items once for each page load. */
async function prune(db: OfflineDb): Promise<void> {
  if (isPruned) return;
  isPruned = true;
  const since = Date.now() - MAX.days * 24 * 60 * 60 * 1_000;
  await db.prune('items', MAX.items, since);
  await db.prune('texts', MAX.texts, since);
}
