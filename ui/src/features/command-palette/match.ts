import { fold } from '@/shared/lib/fold';

/** What the palette can do. */
export type Command = {
  id: string;
  label: string;
  /** Other words to find it by. */
  also?: string;
  group: 'places' | 'folders' | 'feeds' | 'actions';
  run: () => unknown;
};

/** A command by its group, id and name. */
export const command = (
  group: Command['group'],
  id: string,
  label: string,
  run: () => unknown,
  also?: string,
): Command => ({ group, id, label, run, also });

const MOST = 40;

/** The commands that contain all words of the query. Those that begin with the first word come first. */
export function match(commands: readonly Command[], query: string): Command[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((command) => {
    const label = fold(command.label);
    const text = `${label} ${fold(command.also ?? '')}`;
    if (!words.every((word) => text.includes(word))) return [];
    const first = words[0] ?? '';
    const rank = label.startsWith(first) ? 0 : label.includes(` ${first}`) ? 1 : 2;
    return [{ command, rank }];
  });
  // Sorting is stable: commands of one rank keep their order.
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, MOST).map(({ command }) => command);
}

/** Whether the query is an address, which can be added as a feed. */
export function isAddress(query: string): boolean {
  return /^(https?:\/\/\S+|[^\s.]+(\.[^\s.]+)+(\/\S*)?)$/i.test(query.trim());
}
