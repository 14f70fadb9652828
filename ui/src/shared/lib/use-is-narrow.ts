import { useStore } from './use-store';

const NARROW = '(max-width: 767px)';

const screen = {
  get: () => matchMedia(NARROW).matches,
  subscribe: (listener: () => void) => {
    const media = matchMedia(NARROW);
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  },
};

/** Phones: one pane at a time. */
export const useIsNarrow = (): boolean => useStore(screen);
