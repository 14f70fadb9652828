import type { PointerEvent } from 'react';
import { exactTime, relativeTime } from '../i18n/time';
import { useLanguage } from '../i18n/use-language';
import { useNow } from '../lib/use-now';

/** Sets the exact time as the tooltip, only when the pointer comes: the first format of a page takes as long as half a list. */
export const tellExactly = (language: string) => (event: PointerEvent<HTMLTimeElement>) => {
  const { currentTarget: time } = event;
  time.title = exactTime(time.dateTime, language);
};

/** A relative time, with the exact time as its tooltip. */
export function Time({ at, style = 'short', className }: { at: string; style?: 'short' | 'long'; className?: string }) {
  const language = useLanguage();
  const now = useNow();
  return (
    <time dateTime={at} onPointerEnter={tellExactly(language)} className={className}>
      {relativeTime(at, now, language, style)}
    </time>
  );
}
