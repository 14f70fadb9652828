import type { Change } from './change';
import type { OfflineDb } from './offline-db';
import { overlayItem } from './overlay';

type StoredItem = { item: { id: string; feed_id: string; is_read: boolean; is_starred: boolean } };

/** Applies changes that the server has acknowledged to the stored items. The service worker does so too. */
export async function applyChanges(db: OfflineDb, changes: readonly Change[]): Promise<void> {
  if (changes.every(({ kind }) => kind === 'settings' || kind === 'delete')) return;
  const ids = changes.every((change) => change.kind === 'item') ? changes.map((change) => change.id) : null;
  await db.update<StoredItem>('items', ids, (record) => {
    const item = overlayItem(record.item, changes);
    return item === record.item ? record : { ...record, item };
  });
}
