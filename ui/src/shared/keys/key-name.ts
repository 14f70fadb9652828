type Press = { key: string; code: string; shiftKey: boolean };

const NAMED = new Set(['Enter', 'Escape']);

/**
 * The name of a key in shortcuts: `j`, `J` with Shift, `/`, `?`, `Enter`. A Latin character names itself. Other characters are
 * named by the position of the key, so that о, ㅓ and ま do what j does.
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

/** Taken by an input method, or a letter of another script. Layouts with accented Latin letters have the plain ones too. */
function isForeign(key: string): boolean {
  if (key === 'Process' || key === 'Unidentified') return true;
  return key.length <= 2 && (key.codePointAt(0) ?? 0) > 127 && !/\p{Script=Latin}/u.test(key);
}

/** Whether keys are text input there. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('textarea, select, [role=menu], [role=combobox]')) return true;
  const input = target.closest('input');
  return input !== null && !['radio', 'checkbox', 'button', 'range'].includes(input.type);
}
