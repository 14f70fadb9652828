import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useIsNarrow } from '../lib/use-media';

export const WIDTH = { least: 200, usual: 264, most: 420, step: 16 } as const;
const KEY = 'kawaraban.sidebar';

/** The state of the two panes. On phones the sidebar is a sheet that is opened when it is wanted. */
export type Panes = {
  isNarrow: boolean;
  width: number;
  isCollapsed: boolean;
  isSheetOpen: boolean;
  setWidth: (width: number) => void;
  /** Shows the sidebar or puts it away, whatever form it has at the moment. */
  toggleSidebar: () => void;
  closeSheet: () => void;
};

const Context = createContext<Panes | null>(null);

export function usePanes(): Panes {
  const panes = useContext(Context);
  if (!panes) throw new Error('usePanes needs a PanesProvider above it');
  return panes;
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTH.least), WIDTH.most));
}

/** Width and collapse belong to this screen, not to the person: they stay in the browser. */
export function PanesProvider({ children }: { children: ReactNode }) {
  const isNarrow = useIsNarrow();
  const [kept, setKept] = useState(read);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const panes = useMemo<Panes>(() => {
    const keep = (next: Kept) => {
      setKept(next);
      write(next);
    };
    return {
      isNarrow,
      ...kept,
      isSheetOpen: isNarrow && isSheetOpen,
      setWidth: (width) => keep({ ...kept, width: clampWidth(width) }),
      toggleSidebar: () => (isNarrow ? setSheetOpen(!isSheetOpen) : keep({ ...kept, isCollapsed: !kept.isCollapsed })),
      closeSheet: () => setSheetOpen(false),
    };
  }, [isNarrow, kept, isSheetOpen]);
  return <Context value={panes}>{children}</Context>;
}

type Kept = { width: number; isCollapsed: boolean };

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept> | null;
    return { width: clampWidth(Number(kept?.width) || WIDTH.usual), isCollapsed: kept?.isCollapsed === true };
  } catch {
    return { width: WIDTH.usual, isCollapsed: false };
  }
}

function write(kept: Kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
