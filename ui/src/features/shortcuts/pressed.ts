const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc' };

/** The labels of the keys of a shortcut: `A` is Shift and A, `g a` is a sequence, `Mod` is Ctrl or ⌘. */
export function pressed(shortcut: string, isMac: boolean): { keys: string[]; isSequence: boolean } {
  const steps = shortcut.split(' ');
  if (steps.length > 1) return { keys: steps, isSequence: true };
  if (shortcut.startsWith('Mod+')) {
    return { keys: [isMac ? '⌘' : 'Ctrl', shortcut.slice(4).toUpperCase()], isSequence: false };
  }
  const isCapital = /^[A-Z]$/.test(shortcut);
  return { keys: isCapital ? ['Shift', shortcut] : [NAMES[shortcut] ?? shortcut], isSequence: false };
}
