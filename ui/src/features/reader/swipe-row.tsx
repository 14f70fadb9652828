import { Circle, CircleCheck, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Item } from '@/shared/api/items';
import { cn } from '@/shared/lib/cn';
import { FAR, useSwipe } from './use-swipe';

type SwipeRowProps = { item: Item; onRead: () => void; onStar: () => void; children: ReactNode };

/** On phones: drawn to the right a row becomes read or unread, to the left it gets a star or loses it. */
export function SwipeRow({ item, onRead, onStar, children }: SwipeRowProps) {
  const { shift, handlers } = useSwipe({ onRight: onRead, onLeft: onStar });
  const isFar = Math.abs(shift) >= FAR;
  return (
    <div className="relative h-full touch-pan-y overflow-hidden bg-sunken" {...handlers}>
      {shift > 0 && (
        <span className={cn('absolute inset-y-0 left-5 grid place-items-center', isFar ? 'text-accent' : 'text-ink-3')}>
          {item.is_read ? <Circle aria-hidden /> : <CircleCheck aria-hidden />}
        </span>
      )}
      {shift < 0 && (
        <span className={cn('absolute inset-y-0 right-5 grid place-items-center', isFar ? 'text-star' : 'text-ink-3')}>
          <Star aria-hidden className={isFar && !item.is_starred ? 'fill-current' : ''} />
        </span>
      )}
      <div
        className={cn('h-full', shift === 0 && 'transition-transform duration-150')}
        style={{ transform: shift === 0 ? undefined : `translateX(${shift}px)` }}
      >
        {children}
      </div>
    </div>
  );
}
