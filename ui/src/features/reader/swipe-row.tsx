import { Circle, CircleCheck, Star } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import type { Item } from '@/shared/api/items';
import { cn } from '@/shared/lib/cn';
import { FAR, useSwipe } from './use-swipe';

type SwipeRowProps = {
  item: Item;
  place: ComponentProps<'li'>;
  /** The classes of the part that moves. */
  look: string;
  onRead: () => void;
  onStar: () => void;
  children: ReactNode;
};

/** On phones: a swipe to the right marks an item as read or unread, a swipe to the left stars or unstars it. */
export function SwipeRow({ item, place, look, onRead, onStar, children }: SwipeRowProps) {
  const { shift, handlers } = useSwipe({ onRight: onRead, onLeft: onStar });
  const isFar = Math.abs(shift) >= FAR;
  return (
    <li
      {...place}
      className="absolute inset-x-0 touch-pan-y bg-sunken [contain:strict] [overflow-anchor:none]"
      {...handlers}
    >
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
        className={`relative h-full ${look} ${shift === 0 ? 'transition-transform duration-150' : ''}`}
        style={shift === 0 ? undefined : { transform: `translateX(${shift}px)` }}
      >
        {children}
      </div>
    </li>
  );
}
