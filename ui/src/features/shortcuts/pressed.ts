const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc' };

/** What is on the keys that a shortcut of the table means: `A` is Shift and A, `g a` two after each other, `Mod` Ctrl or ⌘. */
export function pressed(shortcut: string, isMac: boolean): { keys: string[]; isSequence: boolean } {
  const steps = shortcut.split(' ');
  if (steps.length > 1) return { keys: steps, isSequence: true };
  if (shortcut.startsWith('Mod+')) {
    return { keys: [isMac ? '⌘' : 'Ctrl', shortcut.slice(4).toUpperCase()], isSequence: false };
  }
  const isCapital = /^[A-Z]$/.test(shortcut);
  return { keys: isCapital ? ['Shift', shortcut] : [NAMES[shortcut] ?? shortcut], isSequence: false };
}
