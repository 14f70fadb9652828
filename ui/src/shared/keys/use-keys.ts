import { useEffect, useRef } from 'react';
import { getPreferences } from '../preferences/storage';
import { isTyping, keyName } from './key-name';
import { type Action, actionOf, beginsSequence, isRepeated } from './shortcuts';

/** The functions of shortcuts; `false` for one that is disabled now. */
export type Keys = Readonly<Partial<Record<Action, (() => void) | false>>>;

const SEQUENCE_MS = 1_500;
const all = new Set<{ current: Keys }>();
let first: { name: string; at: number } | null = null;

function find(keys: string): { action: Action; run: () => void } | undefined {
  const action = actionOf(keys);
  if (!action) return undefined;
  for (const one of [...all].reverse()) {
    const run = one.current[action];
    if (run) return { action, run };
  }
  return undefined;
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.getModifierState('AltGraph')) return;
  const name = keyName(event);
  if (name === null) return;
  if (event.ctrlKey || event.metaKey) {
    // Keys with Ctrl or ⌘ belong to the browser, except for those in the table. These work everywhere.
    const found = event.shiftKey ? undefined : find(`Mod+${name}`);
    if (found) run(event, found);
    return;
  }
  if (isTyping(event.target) || document.querySelector('dialog[open], [data-dialog-loading]')) return;
  if (!getPreferences().shortcuts && name !== 'Escape') return;
  // Enter activates the button or link that has the focus.
  if (name === 'Enter' && (event.target as Element).closest('a, button, summary, label, [tabindex="0"]')) return;
  const before = first && event.timeStamp - first.at < SEQUENCE_MS ? first.name : null;
  first = null;
  const found = (before && find(`${before} ${name}`)) || find(name);
  if (found) run(event, found);
  else if (beginsSequence(name)) first = { name, at: event.timeStamp };
}

function run(event: KeyboardEvent, found: { action: Action; run: () => void }) {
  event.preventDefault();
  if (!event.repeat || isRepeated(found.action)) found.run();
}

/** Shortcuts while the component is mounted. The component that was mounted last wins. Disabled during text input. */
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
