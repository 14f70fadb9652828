import { X } from 'lucide-react';
import { type FocusEvent, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../keys/use-keys';
import { cn } from '../lib/cn';
import { useStore } from '../lib/use-store';
import { usePreferences } from '../preferences/storage';
import { Button } from './button';
import { useTopLayer } from './layers';
import { said, say } from './say';
import { toasts } from './toast-store';

/** The toasts and the words for screen readers, in the last modal window or on the page. */
export function Toaster() {
  const { t } = useTranslation();
  const all = useStore(toasts);
  const { shortcuts } = usePreferences();
  useKeys({ undo: all.some((toast) => toast.undo) && (() => toasts.undoLast()) });

  useEffect(() => {
    const settle = () => toasts.settleAll();
    window.addEventListener('pagehide', settle);
    return () => window.removeEventListener('pagehide', settle);
  }, []);

  const newest = all.at(-1);
  const heard = useRef(0);
  useEffect(() => {
    if (!newest || newest.id <= heard.current) return;
    heard.current = newest.id;
    say(newest.message);
    if (newest.undo && shortcuts) say(t('undoKey'));
  }, [newest, shortcuts, t]);

  return createPortal(
    <>
      <Said />
      <Toasts />
    </>,
    useTopLayer(),
  );
}

/** Always in the page: some screen readers ignore a region that appears together with its words. */
function Said() {
  return (
    // Not atomic: earlier words are not repeated, and the same words twice are said twice.
    <div role="status" aria-atomic={false} className="sr-only">
      {useStore(said).map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  );
}

function Toasts() {
  const { t } = useTranslation();
  const all = useStore(toasts);
  const { shortcuts } = usePreferences();
  const ref = useRef<HTMLElement>(null);
  /** The element that gets the focus back when a toast with the focus disappears. */
  const from = useRef<EventTarget | null>(null);

  useEffect(() => {
    const section = ref.current;
    if (!section?.showPopover) return;
    // Shown again for each toast, so that it lies above a menu that was opened meanwhile.
    if (section.matches(':popover-open')) section.hidePopover();
    if (all.length > 0) section.showPopover();
  }, [all]);
  // When the layer changes, this element is removed without a `pointerleave` event.
  useEffect(() => () => toasts.resume(), []);

  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) from.current = relatedTarget;
    toasts.pause();
  };
  const leave = (act: () => void) => () => {
    act();
    if (ref.current?.contains(document.activeElement) && from.current instanceof HTMLElement) from.current.focus();
  };
  return (
    <section
      ref={ref}
      popover="manual"
      aria-label={t('notifications')}
      className="pointer-events-none inset-[auto_0_max(20px,calc(env(safe-area-inset-bottom)+68px))] m-0 w-auto flex-col items-center gap-2 bg-transparent px-3 open:flex md:bottom-5"
      onPointerEnter={() => toasts.pause()}
      onPointerLeave={() => toasts.resume()}
      onFocus={onFocus}
      onBlur={() => toasts.resume()}
    >
      {all.map((toast) => (
        <div
          key={toast.id}
          className="pointer-events-auto flex max-w-full animate-rise items-center gap-3 rounded-lg border border-transparent bg-ink py-1.5 pr-1.5 pl-4 text-bg shadow-float"
        >
          <span className={cn('py-1', toast.tone === 'bad' && 'font-medium')}>{toast.message}</span>
          {toast.undo && (
            <Button look="toast" size="sm" className="font-semibold" onClick={leave(() => toasts.undo(toast.id))}>
              {t('undo')}
              {shortcuts && toast === all.findLast((one) => one.undo) && (
                <kbd aria-hidden className="font-normal font-sans text-bg/75 max-md:hidden">
                  z
                </kbd>
              )}
            </Button>
          )}
          <Button
            look="toast"
            size="icon"
            className="opacity-75 hover:opacity-100"
            aria-label={t('close')}
            onClick={leave(() => toasts.dismiss(toast.id))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
    </section>
  );
}
