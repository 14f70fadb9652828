import { deleteShelves, Shelf } from './shelf';

/** Who was here last, for the time when nobody can be asked. Gone as soon as somebody signs out. */
const KEY = 'kawaraban.owner';

let owner: string | null = null;
let opened: { id: string; shelf: Promise<Shelf | null> } | null = null;
let arrive: (shelf: Promise<Shelf | null>) => void = () => {};
let own = new Promise<Shelf | null>((resolve) => {
  arrive = resolve;
});
const listeners = new Set<(owner: string | null) => void>();

/** The id of whoever this page is for, once it is known. */
export const ownerOf = (): string | null => owner;

/** Says later whether whoever is here now still is: an answer may come when somebody else is. */
export function whoeverIsHere(): () => boolean {
  const then = owner;
  return () => then === null || then === owner;
}

/** Calls back when somebody came or went. */
export function onOwner(listener: (owner: string | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The shelf of whoever is here, as soon as that is known; null where nothing can be kept, or somebody has just left. */
export const ownShelf = (): Promise<Shelf | null> => own;

/** The shelf of whoever is here or, as long as nobody says who that is, was here last. */
export async function shelfToReadFrom(): Promise<Shelf | null> {
  const id = owner ?? remembered();
  return id ? open(id) : null;
}

/** It is known who is here: nothing that is kept of anybody else stays. */
export async function isHere(id: string): Promise<void> {
  if (owner === id) return;
  const isAnother = owner !== null;
  owner = id;
  remember(id);
  own = open(id);
  arrive(own);
  await deleteShelves(id).catch(() => {});
  // Whatever this page shows is somebody else's.
  if (isAnother) location.reload();
  else tell();
}

/** The server does not know who is here. What was read goes; what is still to be sent waits for the same person. */
export async function isUnknown(): Promise<void> {
  const shelf = await shelfToReadFrom();
  leave();
  await shelf?.clear('items', 'texts', 'facts').catch(() => {});
  shelf?.close();
}

/** Whoever was here has signed out, or is no more: nothing stays. */
export async function hasLeft(): Promise<void> {
  const shelf = await shelfToReadFrom();
  leave();
  shelf?.close();
  await deleteShelves(null).catch(() => {});
}

/** When somebody comes or goes in another window, this one is no longer right. Once, at the start. */
export function watchOtherWindows(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === KEY && owner !== null && event.newValue !== owner) location.reload();
  });
}

function leave() {
  owner = null;
  opened = null;
  // What still comes for whoever left is not for whoever comes next.
  own = Promise.resolve(null);
  remember(null);
  tell();
}

function tell() {
  for (const listener of listeners) listener(owner);
}

function open(id: string): Promise<Shelf | null> {
  if (opened?.id !== id) opened = { id, shelf: Shelf.open(id).catch(() => null) };
  return opened.shelf;
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(id: string | null): void {
  try {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage nothing is kept beyond the page.
  }
}
