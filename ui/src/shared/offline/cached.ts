import type { Item, ItemDetail } from '../api/items';
import { applyChanges } from './apply-changes';
import type { Change } from './change';
import type { OfflineDb } from './offline-db';
import { readableDb, sessionDb } from './session-user';

export type FactName = 'me' | 'subscriptions' | 'folders' | 'settings';
export type CachedItem = { id: string; item: Item; at: number };
export type CachedText = { id: string; detail: Omit<ItemDetail, keyof Item>; at: number };

type Work = (db: OfflineDb) => Promise<unknown>;

/** A failed write is ignored: the data is then missing offline. */
function write(work: Work, own = sessionDb()): void {
  void own.then((db) => db && work(db)).catch(() => {});
}

let idle: Promise<void> | null = null;

/** Writes when the browser is idle, in order: a list is drawn before it is stored. */
function writeLater(work: Work): void {
  // The database of the current user, even if the user changes before the browser is idle.
  const own = sessionDb();
  idle ??= new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve, 100);
  }).then(() => {
    idle = null;
  });
  void idle.then(() => write(work, own));
}

async function read<T>(work: (db: OfflineDb) => Promise<T>): Promise<T | undefined> {
  try {
    const db = await readableDb();
    return db ? await work(db) : undefined;
  } catch {
    return undefined;
  }
}

export const cacheFact = (name: FactName, data: unknown): void => write((db) => db.write('facts', [{ name, data }]));

export async function cachedFact<T>(name: FactName): Promise<T | undefined> {
  const fact = await read((db) => db.get<{ data: T }>('facts', name));
  return fact?.data;
}

/** Stores items as the server knows them; unsent changes are overlaid when they are read. */
export function cacheItems(items: readonly Item[]): void {
  const at = Date.now();
  const records: CachedItem[] = items.map(({ details: _, ...item }) => ({ id: item.id, item, at }));
  const texts: CachedText[] = items.flatMap(({ id, details }) => (details ? [{ id, detail: details, at }] : []));
  writeLater((db) => db.write('items', records));
  if (texts.length > 0) writeLater((db) => db.write('texts', texts));
}

export function cacheText(detail: ItemDetail): void {
  const { categories, comments_url, content, enclosures, summary, ...rest } = detail;
  const { full_text, full_text_error, prefers_full_text, ...item } = rest;
  const text = { categories, comments_url, content, enclosures, summary };
  cacheItems([{ ...item, details: { ...text, full_text, full_text_error, prefers_full_text } }]);
}

/** With `since`, only a text that was fetched after that. */
export async function cachedText(id: string, since = 0): Promise<ItemDetail | undefined> {
  const [cached, text] =
    (await read((db) => Promise.all([db.get<CachedItem>('items', id), db.get<CachedText>('texts', id)]))) ?? [];
  return cached && text && text.at >= since ? { ...cached.item, ...text.detail } : undefined;
}

/** Texts that were fetched until now count as old; without a connection they are shown. */
export async function expireCachedTexts(): Promise<void> {
  const texts = (await read((db) => db.all<CachedText>('texts'))) ?? [];
  write((db) =>
    db.write(
      'texts',
      texts.map((text) => ({ ...text, at: 0 })),
    ),
  );
}

/** The stored changes, for a start without a connection: the outbox opens when the user is known. */
export const cachedChanges = async (): Promise<Change[]> => (await read((db) => db.all<Change>('changes'))) ?? [];

export const cachedItems = (): Promise<CachedItem[] | undefined> => read((db) => db.all<CachedItem>('items'));

/** Applies changes that the server has acknowledged to the stored items. */
export const applyToCache = (changes: readonly Change[]): void => writeLater((db) => applyChanges(db, changes));
