import type { PointerEvent } from 'react';
import { exactTime, relativeTime } from '../i18n/time';
import { useLanguage } from '../i18n/use-language';
import { useNow } from '../lib/use-now';

/** Says the exact time of what the pointer comes to. Not before: the first one of a page takes as long to write as half a list to draw. */
export const tellExactly = (language: string) => (event: PointerEvent<HTMLTimeElement>) => {
  const { currentTarget: time } = event;
  time.title = exactTime(time.dateTime, language);
};

/** When something was, as people say it; exactly, on hover. */
export function Time({ at, style = 'short', className }: { at: string; style?: 'short' | 'long'; className?: string }) {
  const language = useLanguage();
  const now = useNow();
  return (
    <time dateTime={at} onPointerEnter={tellExactly(language)} className={className}>
      {relativeTime(at, now, language, style)}
    </time>
  );
}
