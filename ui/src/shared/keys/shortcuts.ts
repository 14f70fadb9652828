/**
 * Every shortcut, by what it is for and what it does. The one table: `useKeys` listens to nothing else, and the help lists
 * nothing else. A key is what it types (`A` is with Shift), two in a row are one after the other, `Mod` is Ctrl or ⌘; of
 * several any will do.
 */
export const shortcuts = {
  items: {
    nextOpen: ['j'],
    previousOpen: ['k'],
    next: ['n'],
    previous: ['p'],
    open: ['o', 'Enter'],
    original: ['v'],
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

/** What goes on while the key is held. All others would be done and undone again. */
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

/** What these keys do. */
export function actionOf(keys: string): Action | undefined {
  return byKeys.get(keys);
}

/** Whether they are the first of two. */
export function beginsSequence(key: string): boolean {
  return [...byKeys.keys()].some((keys) => keys.startsWith(`${key} `));
}

export function isRepeated(action: Action): boolean {
  return REPEATED.has(action);
}
