import type { Item, ItemDetail } from '../api/items';
import { ownShelf, shelfToReadFrom } from './owner';
import type { Shelf } from './shelf';

export type FactName = 'me' | 'subscriptions' | 'folders' | 'settings';
export type KeptItem = { id: string; item: Item; at: number };
export type KeptText = { id: string; detail: Omit<ItemDetail, keyof Item>; at: number };

type Work = (shelf: Shelf) => Promise<unknown>;

/** Of one person; what cannot be written is as if it were not there. */
function write(work: Work, own = ownShelf()): void {
  void own.then((shelf) => shelf && work(shelf)).catch(() => {});
}

let quiet: Promise<void> | null = null;

/** When nothing else is to be done, in the order in which it was asked for: a list is drawn before it is kept. */
function writeLater(work: Work): void {
  // Of whoever is here now, not then.
  const own = ownShelf();
  quiet ??= new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve, 100);
  }).then(() => {
    quiet = null;
  });
  void quiet.then(() => write(work, own));
}

async function read<T>(work: (shelf: Shelf) => Promise<T>): Promise<T | undefined> {
  try {
    const shelf = await shelfToReadFrom();
    return shelf ? await work(shelf) : undefined;
  } catch {
    return undefined;
  }
}

export const keepFact = (name: FactName, data: unknown): void =>
  write((shelf) => shelf.write('facts', [{ name, data }]));

export async function keptFact<T>(name: FactName): Promise<T | undefined> {
  const fact = await read((shelf) => shelf.get<{ data: T }>('facts', name));
  return fact?.data;
}

export function keepItems(items: readonly Item[]): void {
  const at = Date.now();
  const records: KeptItem[] = items.map((item) => ({ id: item.id, item, at }));
  writeLater((shelf) => shelf.write('items', records));
}

/** Whether it is read is kept with the item alone, so that it cannot be said in two ways. */
export function keepText(whole: ItemDetail): void {
  const { categories, comments_url, content, enclosures, summary, ...item } = whole;
  const text: KeptText = {
    id: item.id,
    detail: { categories, comments_url, content, enclosures, summary },
    at: Date.now(),
  };
  keepItems([item]);
  writeLater((shelf) => shelf.write('texts', [text]));
}

/** With `since`, only if it was fetched after that. */
export async function keptText(id: string, since = 0): Promise<ItemDetail | undefined> {
  const [kept, text] =
    (await read((shelf) => Promise.all([shelf.get<KeptItem>('items', id), shelf.get<KeptText>('texts', id)]))) ?? [];
  return kept && text && text.at >= since ? { ...kept.item, ...text.detail } : undefined;
}

export const keptItems = (): Promise<KeptItem[] | undefined> => read((shelf) => shelf.all<KeptItem>('items'));

/** What is done to items is done to those that are kept: to these, or to all. */
export function changeKept(ids: readonly string[] | null, change: (item: Item) => Item): void {
  writeLater((shelf) =>
    shelf.update<KeptItem>('items', ids, (record) => {
      const item = change(record.item);
      return item === record.item ? record : { ...record, item };
    }),
  );
}
