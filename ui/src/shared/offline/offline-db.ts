/** The offline data of one user in IndexedDB. Each user has a database, so that data of two users cannot mix. */
const PREFIX = 'kawaraban.';
const STORES = { items: 'id', texts: 'id', facts: 'name', changes: 'seq' } as const;

export type StoreName = keyof typeof STORES;

export class OfflineDb {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  static async open(user: string): Promise<OfflineDb> {
    return await new Promise((resolve, reject) => {
      const request = indexedDB.open(`${PREFIX}${user}`, 1);
      request.onupgradeneeded = () => {
        for (const [name, keyPath] of Object.entries(STORES)) {
          const store = request.result.createObjectStore(name, { keyPath });
          if (name === 'items' || name === 'texts') store.createIndex('at', 'at');
        }
      };
      request.onsuccess = () => {
        // Another tab deletes it because the user has signed out.
        request.result.onversionchange = () => request.result.close();
        resolve(new OfflineDb(request.result));
      };
      request.onerror = () => reject(request.error);
    });
  }

  get<T>(store: StoreName, key: string): Promise<T | undefined> {
    return result(this.#store(store, 'readonly').get(key));
  }

  all<T>(store: StoreName): Promise<T[]> {
    return result(this.#store(store, 'readonly').getAll());
  }

  keys(store: StoreName): Promise<IDBValidKey[]> {
    return result(this.#store(store, 'readonly').getAllKeys());
  }

  /** Writes and deletes records in one transaction. */
  write(store: StoreName, records: readonly unknown[], gone: readonly IDBValidKey[] = []): Promise<void> {
    return this.#work(store, (into) => {
      for (const key of gone) into.delete(key);
      for (const record of records) into.put(record);
      // Without a delay: the page may be closing.
      into.transaction.commit();
    });
  }

  /** Replaces the records that `change` returns differently: those with these keys, or all. */
  update<T>(store: StoreName, keys: readonly string[] | null, change: (record: T) => T): Promise<void> {
    return this.#work(store, (into) => {
      const put = (record: T | undefined) => {
        const next = record && change(record);
        if (next !== record) into.put(next);
      };
      if (keys) for (const key of keys) ask(into.get(key), put);
      else ask(into.getAll() as IDBRequest<T[]>, (records) => records.forEach(put));
    });
  }

  /** Keeps the latest `most` records that are not older than `since`. */
  prune(store: 'items' | 'texts', most: number, since: number): Promise<void> {
    return this.#work(store, (into) => {
      let seen = 0;
      ask(into.index('at').openCursor(null, 'prev'), (cursor) => {
        if (!cursor) return;
        seen += 1;
        if (seen > most || (cursor.key as number) < since) cursor.delete();
        cursor.continue();
      });
    });
  }

  async clear(...stores: StoreName[]): Promise<void> {
    await Promise.all(stores.map((store) => this.#work(store, (all) => all.clear())));
  }

  close(): void {
    this.#database.close();
  }

  #store(name: StoreName, mode: IDBTransactionMode): IDBObjectStore {
    return this.#database.transaction(name, mode).objectStore(name);
  }

  #work(name: StoreName, work: (store: IDBObjectStore) => void): Promise<void> {
    const store = this.#store(name, 'readwrite');
    work(store);
    return new Promise((resolve, reject) => {
      store.transaction.oncomplete = () => resolve();
      store.transaction.onabort = () => reject(store.transaction.error);
    });
  }
}

/** Deletes the databases of all users, or of all but one. */
export async function deleteOfflineDbs(except: string | null): Promise<void> {
  const all = (await globalThis.indexedDB?.databases?.()) ?? [];
  const others = all.map(({ name }) => name ?? '').filter((name) => name.startsWith(PREFIX));
  const gone = others.filter((name) => name !== `${PREFIX}${except}`);
  await Promise.all(
    gone.map(
      (name) =>
        new Promise<void>((resolve) => {
          const request = indexedDB.deleteDatabase(name);
          request.onsuccess = request.onerror = () => resolve();
        }),
    ),
  );
}

function ask<T>(request: IDBRequest<T>, then: (value: T) => void): void {
  request.onsuccess = () => then(request.result);
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
