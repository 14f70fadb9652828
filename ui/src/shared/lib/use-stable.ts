import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and does what the latest one does; for what is handed down, never for what draws. */
export function useStable<Args extends unknown[], T>(latest: (...args: Args) => T): (...args: Args) => T {
  const ref = useRef(latest);
  useLayoutEffect(() => {
    ref.current = latest;
  });
  return useCallback((...args) => ref.current(...args), []);
}
