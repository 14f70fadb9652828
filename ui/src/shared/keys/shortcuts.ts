/**
 * All shortcuts, by group and action. `useKeys` and the help use only this table. `A` is with Shift, `g a` is a sequence, `Mod` is
 * Ctrl or ⌘. An action can have several shortcuts.
 */
export const shortcuts = {
  items: {
    nextOpen: ['j'],
    previousOpen: ['k'],
    next: ['n'],
    previous: ['p'],
    open: ['o', 'Enter'],
    original: ['v'],
    fullText: ['f'],
    read: ['m'],
    star: ['s'],
    close: ['Escape'],
  },
  list: {
    all: ['A'],
    reload: ['r'],
    undo: ['z'],
  },
  places: {
    goAll: ['g a'],
    goUnread: ['g u'],
    goStarred: ['g s'],
    goWatch: ['g w'],
    nextFeed: ['J'],
    previousFeed: ['K'],
    search: ['/'],
    palette: ['Mod+k'],
    help: ['?'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

type Groups = typeof shortcuts;
/** What a shortcut does. */
export type Action = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** Actions that repeat while the key is held. Repeating the others would undo them. */
const REPEATED: ReadonlySet<Action> = new Set([
  'nextOpen',
  'previousOpen',
  'next',
  'previous',
  'nextFeed',
  'previousFeed',
]);

const byKeys = new Map<string, Action>(
  Object.values(shortcuts).flatMap((group) =>
    (Object.entries(group) as [Action, readonly string[]][]).flatMap(([action, keys]) =>
      keys.map((key): [string, Action] => [key, action]),
    ),
  ),
);

/** The action of these keys. */
export function actionOf(keys: string): Action | undefined {
  return byKeys.get(keys);
}

/** Whether a sequence begins with this key. */
export function beginsSequence(key: string): boolean {
  return [...byKeys.keys()].some((keys) => keys.startsWith(`${key} `));
}

export function isRepeated(action: Action): boolean {
  return REPEATED.has(action);
}
