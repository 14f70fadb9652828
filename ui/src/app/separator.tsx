import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePanes, WIDTH } from '@/shared/layout/panes';
import { cn } from '@/shared/lib/cn';

/** The edge of the sidebar. It is dragged or moved with the arrow keys; a double click sets the next of three widths. */
export function Separator() {
  const { t } = useTranslation();
  const { width, setWidth } = usePanes();
  const [isDragged, setDragged] = useState(false);

  const onKeyDown = (event: KeyboardEvent) => {
    const widths: Record<string, number> = {
      ArrowLeft: width - WIDTH.step,
      ArrowRight: width + WIDTH.step,
      Home: WIDTH.least,
      End: WIDTH.most,
    };
    const next = widths[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setWidth(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(true);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!isDragged) return;
    const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
    setWidth(event.clientX - left);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('resizeSidebar')}
      aria-valuenow={width}
      aria-valuemin={WIDTH.least}
      aria-valuemax={WIDTH.most}
      tabIndex={0}
      className={cn(
        'absolute inset-y-0 -right-px z-10 w-px cursor-col-resize touch-none before:absolute before:inset-y-0 before:-left-1 before:w-[9px] hover:bg-accent focus-visible:bg-accent',
        isDragged && 'bg-accent',
      )}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDragged(false)}
      onPointerCancel={() => setDragged(false)}
      onDoubleClick={() => setWidth(nextWidth(width))}
    />
  );
}

function nextWidth(width: number): number {
  if (width === WIDTH.usual) return WIDTH.most;
  return width === WIDTH.most ? WIDTH.least : WIDTH.usual;
}
