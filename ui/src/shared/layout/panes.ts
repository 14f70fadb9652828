import { Store } from '../lib/store';
import { readStored, writeStored } from '../lib/stored';
import { useIsNarrow } from '../lib/use-is-narrow';
import { useStore } from '../lib/use-store';

export const WIDTH = { least: 200, usual: 264, most: 420, step: 16 } as const;
const KEY = 'kawaraban.sidebar';

/** Width and collapse belong to this screen, not to the user: the browser stores them. On phones the sidebar is a sheet. */
type Sidebar = { width: number; isCollapsed: boolean; isSheetOpen: boolean };

const clamp = (width: number) => Math.round(Math.min(Math.max(width, WIDTH.least), WIDTH.most));

function read(): Sidebar {
  const kept = (readStored(KEY) ?? {}) as Partial<Sidebar>;
  const width = clamp(Number(kept.width) || WIDTH.usual);
  return { width, isCollapsed: kept.isCollapsed === true, isSheetOpen: false };
}

const sidebar = new Store(read());

function change(patch: Partial<Sidebar>): void {
  sidebar.set({ ...sidebar.get(), ...patch });
  writeStored(KEY, sidebar.get());
}

const setWidth = (width: number) => change({ width: clamp(width) });
const closeSheet = () => change({ isSheetOpen: false });

/** The state of the two panes. */
export function usePanes() {
  const isNarrow = useIsNarrow();
  const { width, isCollapsed, isSheetOpen } = useStore(sidebar);
  const toggleSidebar = () => change(isNarrow ? { isSheetOpen: !isSheetOpen } : { isCollapsed: !isCollapsed });
  return { isNarrow, width, isCollapsed, isSheetOpen: isNarrow && isSheetOpen, setWidth, toggleSidebar, closeSheet };
}
