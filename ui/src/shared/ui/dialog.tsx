import { cva } from 'class-variance-authority';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type SyntheticEvent, useCallback, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { cn } from '../lib/cn';
import { Button } from './button';
import { IconButton } from './icon-button';
import { enterLayer } from './layers';
import { tooltip } from './tooltip-store';

const looks = cva('fixed max-w-none flex-col overflow-hidden border-line text-ink shadow-float open:flex', {
  variants: {
    /** `sheet` comes from the left edge, on phones. */
    kind: {
      dialog:
        'bg-surface max-h-[min(85dvh,720px)] w-[min(480px,calc(100vw-24px))] rounded-xl border open:animate-rise max-md:mb-[max(12px,env(safe-area-inset-bottom))]',
      wide: 'bg-surface max-h-[min(88dvh,860px)] w-[min(720px,calc(100vw-24px))] rounded-xl border open:animate-rise',
      top: 'bg-surface mt-[12dvh] max-h-[70dvh] w-[min(620px,calc(100vw-24px))] rounded-xl border open:animate-rise max-md:mt-3',
      image: 'bg-surface m-auto max-h-[98dvh] max-w-[98vw] rounded-xl border open:animate-rise',
      sheet:
        'inset-y-0 left-0 m-0 h-dvh max-h-none w-[min(320px,86vw)] border-r bg-sunken pt-[env(safe-area-inset-top)] open:animate-slide-in',
    },
  },
});

type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  kind?: 'dialog' | 'wide' | 'top' | 'image' | 'sheet';
  /** Only screen readers get the title, and there is no close button. */
  isBare?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * A modal window. The browser's `<dialog>` keeps the focus inside, makes the rest inert and restores the focus. Libraries add a
 * `<style>` to the page, which the content security policy forbids. The focus goes to the element with `data-autofocus`, else to
 * the first one that can have it.
 */
export function Dialog({ isOpen, onClose, title, kind = 'dialog', isBare = false, className, children }: DialogProps) {
  const { t } = useTranslation();
  const titleId = useId();
  // Closed before it is removed from the page: only then does the browser restore the focus.
  const open = useCallback((dialog: HTMLDialogElement) => {
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    // The focus moved to a button without the user: its tooltip is not needed.
    tooltip.hide();
    const leave = enterLayer(dialog);
    return () => {
      leave();
      dialog.close();
    };
  }, []);

  if (!isOpen) return null;

  const cancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  // Browsers may close it without a `cancel` event: by a second Esc, or the back gesture of a phone.
  const closed = ({ currentTarget: dialog }: SyntheticEvent<HTMLDialogElement>) => {
    if (!dialog.open && dialog.isConnected) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Esc, which the browser turns into `cancel`
    <dialog
      ref={open}
      aria-labelledby={titleId}
      className={cn(looks({ kind }), className)}
      onCancel={cancel}
      onClose={closed}
      onClick={(event) => event.target === event.currentTarget && isOutside(event.currentTarget, event) && onClose()}
    >
      {isBare ? (
        <h2 id={titleId} className="sr-only">
          {title}
        </h2>
      ) : (
        <header className="flex items-center justify-between gap-4 py-3 pr-3 pl-5">
          <h2 id={titleId} className="font-semibold text-lg">
            {title}
          </h2>
          <IconButton label={t('close')} onClick={onClose}>
            <X />
          </IconButton>
        </header>
      )}
      {children}
    </dialog>
  );
}

type DialogBodyProps = {
  /** Without controls inside, the body itself takes the focus, so that keys scroll it. */
  isReadOnly?: boolean;
  className?: string;
  children: ReactNode;
};

/** The content of a dialog. It scrolls. */
export function DialogBody({ isReadOnly, className, children }: DialogBodyProps) {
  return (
    <div
      className={cn(
        'min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 -outline-offset-2',
        className,
      )}
      {...(isReadOnly && { tabIndex: 0 })}
    >
      {children}
    </div>
  );
}

type DialogActionsProps = Pick<ComponentProps<typeof Button>, 'look' | 'form' | 'isBusy' | 'disabled'> & {
  onCancel: () => void;
  /** The words on the button that submits the form. */
  submit: string;
  /** More buttons, before these. */
  children?: ReactNode;
};

/** The buttons of a dialog with a form. */
export function DialogActions({ onCancel, submit, look = 'primary', children, ...rest }: DialogActionsProps) {
  const { t } = useTranslation();
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">
      {children}
      <Button onClick={onCancel}>{t('cancel')}</Button>
      <Button type="submit" look={look} {...rest}>
        {submit}
      </Button>
    </footer>
  );
}

/** A click on the backdrop has the dialog as its target, but is outside of its box. */
function isOutside(dialog: HTMLElement, { clientX: x, clientY: y }: { clientX: number; clientY: number }): boolean {
  const box = dialog.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}
