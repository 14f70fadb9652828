import { X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '../lib/cn';
import { Button } from './button';
import { toasts } from './toast-store';

/** Where toasts appear: above everything, read out, standing still under the pointer or the focus. */
export function Toaster() {
  const { t } = useTranslation();
  const all = useSyncExternalStore(toasts.subscribe, toasts.get);
  const ref = useRef<HTMLElement>(null);

  useEffect(() => {
    const settle = () => toasts.settleAll();
    window.addEventListener('pagehide', settle);
    return () => window.removeEventListener('pagehide', settle);
  }, []);

  useEffect(() => {
    const section = ref.current;
    if (!section?.showPopover) return;
    // Shown anew for each one, so that it lies above a dialog that was opened in between.
    if (section.matches(':popover-open')) section.hidePopover();
    if (all.length > 0) section.showPopover();
  }, [all]);

  return (
    <>
      {/* Always there: what appears together with its words is not read out everywhere. */}
      <p role="status" className="sr-only">
        {all.at(-1)?.message}
      </p>
      <section
        ref={ref}
        popover="manual"
        aria-label={t('notifications')}
        className="pointer-events-none inset-[auto_0_max(20px,calc(env(safe-area-inset-bottom)+68px))] m-0 w-auto flex-col items-center gap-2 bg-transparent px-3 open:flex md:bottom-5"
        onPointerEnter={() => toasts.pause()}
        onPointerLeave={() => toasts.resume()}
        onFocus={() => toasts.pause()}
        onBlur={() => toasts.resume()}
      >
        {all.map((toast) => (
          <div
            key={toast.id}
            className="pointer-events-auto flex max-w-full animate-rise items-center gap-3 rounded-lg bg-ink py-1.5 pr-1.5 pl-4 text-bg shadow-float"
          >
            <span className={cn('py-1', toast.tone === 'bad' && 'font-medium')}>{toast.message}</span>
            {toast.undo && (
              <Button
                look="quiet"
                size="sm"
                className="font-semibold text-bg hover:bg-bg/15 hover:text-bg"
                onClick={() => toasts.undo(toast.id)}
              >
                {t('undo')}
              </Button>
            )}
            <Button
              look="quiet"
              size="icon"
              className="text-bg/75 hover:bg-bg/15 hover:text-bg"
              aria-label={t('close')}
              onClick={() => toasts.dismiss(toast.id)}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
      </section>
    </>
  );
}
