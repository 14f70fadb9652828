import { tryStorage } from '../lib/stored';
import { deleteOfflineDbs, OfflineDb } from './offline-db';

/** The id of the last user, for starts without a connection. Removed at sign-out. public/first-paint.js reads it too. */
const KEY = 'kawaraban.owner';

let user: string | null = null;
let opened: { id: string; db: Promise<OfflineDb | null> } | null = null;
let resolveDb: (db: Promise<OfflineDb | null>) => void = () => {};
let userDb = new Promise<OfflineDb | null>((resolve) => {
  resolveDb = resolve;
});
const listeners = new Set<(user: string | null) => void>();

/** The id of the signed-in user, once it is known. */
export const sessionUser = (): string | null => user;

/** Returns a function that is true while the same user is signed in. */
export function sameUser(): () => boolean {
  const then = user;
  return () => then === null || then === user;
}

/** Calls back when the user becomes known or leaves. */
export function onSessionUser(listener: (user: string | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The database of the signed-in user, as soon as the user is known; null where nothing can be stored. */
export const sessionDb = (): Promise<OfflineDb | null> => userDb;

/** The database of the signed-in user or, until the user is known, of the last one. */
export async function readableDb(): Promise<OfflineDb | null> {
  const id = user ?? remembered();
  return id ? open(id) : null;
}

/** Sets the signed-in user and deletes the data of all others. */
export async function setSessionUser(id: string): Promise<void> {
  if (user === id) return;
  const isAnother = user !== null;
  user = id;
  remember(id);
  userDb = open(id);
  resolveDb(userDb);
  await deleteOfflineDbs(id).catch(() => {});
  // This page shows data of the other user.
  if (isAnother) location.reload();
  else notify();
}

/** The session has ended. Deletes what was read; unsent changes wait until the same user signs in again. */
export async function sessionEnded(): Promise<void> {
  const db = await readableDb();
  clear();
  await db?.clear('items', 'texts', 'facts').catch(() => {});
  db?.close();
}

/** The user has signed out or deleted the account. Deletes everything. */
export async function signedOut(): Promise<void> {
  const db = await readableDb();
  clear();
  db?.close();
  await deleteOfflineDbs(null).catch(() => {});
}

/** Reloads this tab when the user changes in another tab. Called once. */
export function watchOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === KEY && user !== null && event.newValue !== user) location.reload();
  });
}

function clear() {
  user = null;
  opened = null;
  // Answers that are still to come are not stored for the next user.
  userDb = Promise.resolve(null);
  remember(null);
  notify();
}

function notify() {
  for (const listener of listeners) listener(user);
}

function open(id: string): Promise<OfflineDb | null> {
  if (opened?.id !== id) opened = { id, db: OfflineDb.open(id).catch(() => null) };
  return opened.db;
}

const remembered = (): string | null => tryStorage(() => localStorage.getItem(KEY));

function remember(id: string | null): void {
  tryStorage(() => (id ? localStorage.setItem(KEY, id) : localStorage.removeItem(KEY)));
}
