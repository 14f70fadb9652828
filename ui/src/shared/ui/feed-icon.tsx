import { useState } from 'react';
import { apiUrl } from '../lib/api-url';
import { cn } from '../lib/cn';

type FeedIconProps = { title: string; url: string | null; className?: string };

/** The icon of a feed, or the first letter of its title if there is none or it cannot be shown. */
export function FeedIcon({ title, url, className }: FeedIconProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (url && broken !== url) {
    return (
      <img
        src={apiUrl(url)}
        alt=""
        width={16}
        height={16}
        loading="lazy"
        decoding="async"
        className={cn('size-4 shrink-0 rounded-[3px] object-contain', className)}
        onError={() => setBroken(url)}
      />
    );
  }
  const letter = [...title.trim()][0]?.toUpperCase() ?? '·';
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-4 shrink-0 select-none place-items-center rounded-[3px] bg-line font-semibold text-[10px] text-ink-2 leading-none',
        className,
      )}
    >
      {letter}
    </span>
  );
}
