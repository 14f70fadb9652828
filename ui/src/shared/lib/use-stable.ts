import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same object and calls the latest one. For callbacks, not for values that are rendered. */
export function useStable<Args extends unknown[], T>(latest: (...args: Args) => T): (...args: Args) => T {
  const ref = useRef(latest);
  useLayoutEffect(() => {
    ref.current = latest;
  });
  return useCallback((...args) => ref.current(...args), []);
}
