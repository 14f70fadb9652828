import { useCallback, useState } from 'react';

const KEY = 'kawaraban.folded';

function read(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

/** Which folders are folded; kept in this browser. */
export function useFolds(): [folded: ReadonlySet<string>, toggle: (id: string, isFolded?: boolean) => void] {
  const [folded, setFolded] = useState(read);
  const toggle = useCallback((id: string, isFolded?: boolean) => {
    setFolded((was) => {
      const next = new Set(was);
      if (isFolded ?? !next.has(id)) next.add(id);
      else next.delete(id);
      try {
        localStorage.setItem(KEY, JSON.stringify([...next]));
      } catch {
        // Without storage it lasts as long as the page.
      }
      return next;
    });
  }, []);
  return [folded, toggle];
}
