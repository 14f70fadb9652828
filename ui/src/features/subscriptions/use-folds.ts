import { useCallback, useState } from 'react';
import { readStored, writeStored } from '@/shared/lib/stored';

const KEY = 'kawaraban.folded';

function read(): ReadonlySet<string> {
  const kept = readStored(KEY);
  return new Set(Array.isArray(kept) ? kept.map(String) : []);
}

/** The folded folders. This browser stores them. */
export function useFolds(): [folded: ReadonlySet<string>, toggle: (id: string, isFolded?: boolean) => void] {
  const [folded, setFolded] = useState(read);
  const toggle = useCallback((id: string, isFolded?: boolean) => {
    setFolded((was) => {
      const next = new Set(was);
      if (isFolded ?? !next.has(id)) next.add(id);
      else next.delete(id);
      writeStored(KEY, [...next]);
      return next;
    });
  }, []);
  return [folded, toggle];
}
