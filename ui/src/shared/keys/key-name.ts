type Press = { key: string; code: string; shiftKey: boolean };

const NAMED = new Set(['Enter', 'Escape']);

/**
 * What a key is called in shortcuts: `j`, `J` with Shift, `/`, `?`, `Enter`. By what it types where that is Latin, so that it is
 * what is printed on it; else by its place on the keyboard, so that о, ㅓ or ま do what j does.
 */
export function keyName({ key, code, shiftKey }: Press): string | null {
  if (NAMED.has(key)) return key;
  if (key === '/' || key === '?') return key;
  const letter = /^[a-z]$/i.test(key) ? key : isForeign(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  if (letter) return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
  // Cyrillic and Hebrew layouts have the full stop, and with Shift the comma, where others have the slash.
  if (code === 'Slash' && (isForeign(key) || key === '.' || key === ',')) return shiftKey ? '?' : '/';
  return null;
}

/** Eaten by an input method, or a letter of another script: people with accented Latin letters have the plain ones too. */
function isForeign(key: string): boolean {
  if (key === 'Process' || key === 'Unidentified') return true;
  return key.length <= 2 && (key.codePointAt(0) ?? 0) > 127 && !/\p{Script=Latin}/u.test(key);
}

/** Whether somebody writes there, so that keys are letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('textarea, select, [role=menu], [role=combobox]')) return true;
  const input = target.closest('input');
  return input !== null && !['radio', 'checkbox', 'button', 'range'].includes(input.type);
}
