import { Slot } from '@radix-ui/react-slot';
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from '../lib/use-store';
import { usePreferences } from '../preferences/storage';
import { useTopLayer } from './layers';
import { place, type Side } from './place';
import { tooltip } from './tooltip-store';

type TooltipProps = {
  text: ReactNode;
  shortcut?: string;
  side?: Side;
  /** The text equals the label, so it is not read out again. */
  isLabel?: boolean;
  children: ReactNode;
};

/** Words beside the pointer or the focus. Nothing is said only there. */
export function Tooltip({ text, shortcut, side = 'bottom', isLabel = false, children }: TooltipProps) {
  const id = useId();
  const enter = (anchor: HTMLElement, isFocus: boolean) => tooltip.enter({ anchor, text, shortcut, side }, isFocus);
  useEffect(
    () => () => {
      if (tooltip.get()?.anchor.isConnected === false) tooltip.hide();
    },
    [],
  );
  return (
    <>
      <Slot
        aria-describedby={isLabel ? undefined : id}
        onPointerEnter={(event: PointerEvent<HTMLElement>) =>
          event.pointerType !== 'touch' && enter(event.currentTarget, false)
        }
        onPointerLeave={() => tooltip.leave()}
        onPointerDown={() => tooltip.hide()}
        onFocus={(event: FocusEvent<HTMLElement>) =>
          event.currentTarget.matches(':focus-visible') && enter(event.currentTarget, true)
        }
        onBlur={() => tooltip.hide()}
      >
        {children}
      </Slot>
      {!isLabel && (
        <span id={id} hidden>
          {text}
        </span>
      )}
    </>
  );
}

/** The one tooltip of the page: a popover, above dialogs too. Esc hides it and does nothing else. */
export function TooltipLayer() {
  return createPortal(<Layer />, useTopLayer());
}

function Layer() {
  const shown = useStore(tooltip);
  const { shortcuts } = usePreferences();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element?.showPopover) return;
    if (element.matches(':popover-open')) element.hidePopover();
    if (!shown) return;
    element.showPopover();
    place(element, shown.anchor, 'center', shown.side);
  }, [shown]);
  useEffect(() => {
    const hide = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !tooltip.get()) return;
      event.preventDefault();
      event.stopPropagation();
      tooltip.hide();
    };
    const scrolled = () => tooltip.hide();
    window.addEventListener('keydown', hide, { capture: true });
    window.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      window.removeEventListener('keydown', hide, { capture: true });
      window.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, []);
  return (
    <div
      ref={box}
      popover="manual"
      role="tooltip"
      onPointerEnter={() => tooltip.stay()}
      onPointerLeave={() => tooltip.leave()}
      className="fixed inset-auto m-0 max-w-72 rounded-md border border-transparent bg-ink px-2 py-1 text-bg text-sm shadow-float open:animate-fade-in"
    >
      {shown?.text}
      {shortcuts && shown?.shortcut && <kbd className="ml-2 font-sans text-xs opacity-75">{shown.shortcut}</kbd>}
    </div>
  );
}
