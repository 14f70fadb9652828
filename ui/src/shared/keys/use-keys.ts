import { useEffect, useRef } from 'react';
import { getPreferences } from '../preferences/storage';
import { isTyping, keyName } from './key-name';

/** What keys do: `j`, `J` (with Shift), `Enter`, or one after the other: `g a`. */
export type Keys = Readonly<Record<string, () => void>>;

const SEQUENCE_MS = 1_500;
const all = new Set<{ current: Keys }>();
let first: { name: string; at: number } | null = null;

function find(name: string): (() => void) | undefined {
  for (const keys of [...all].reverse()) if (keys.current[name]) return keys.current[name];
  return undefined;
}

function begins(name: string): boolean {
  return [...all].some((keys) => Object.keys(keys.current).some((one) => one.startsWith(`${name} `)));
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  const name = keyName(event);
  if (name === null || isTyping(event.target) || document.querySelector('dialog[open]')) return;
  if (!getPreferences().shortcuts && name !== 'Escape') return;
  // A button or a link that has the focus does what it does.
  if (name === 'Enter' && (event.target as Element).closest('a, button, summary, label, [tabindex="0"]')) return;
  const before = first && event.timeStamp - first.at < SEQUENCE_MS ? first.name : null;
  first = null;
  const action = (before && find(`${before} ${name}`)) || find(name);
  if (action) {
    event.preventDefault();
    action();
  } else if (begins(name)) {
    first = { name, at: event.timeStamp };
  }
}

/** Keys that do something while the component is there; those of the one that came last win. Never while somebody writes. */
export function useKeys(keys: Keys): void {
  const ref = useRef(keys);
  ref.current = keys;
  useEffect(() => {
    if (all.size === 0) document.addEventListener('keydown', onKeyDown);
    all.add(ref);
    return () => {
      all.delete(ref);
      if (all.size === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
