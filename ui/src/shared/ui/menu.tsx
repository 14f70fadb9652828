import { Slot } from '@radix-ui/react-slot';
import { Check } from 'lucide-react';
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { cn } from '../lib/cn';
import { usePreferences } from '../preferences/storage';
import { itemToFocus } from './menu-keys';
import { type Align, place } from './place';

const look =
  'flex w-full cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left text-base outline-hidden focus:bg-hover hover:bg-hover focus-visible:shadow-[inset_2px_0_var(--accent)] aria-disabled:opacity-50 max-md:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0';

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactNode;
  align?: Align;
  children: ReactNode;
};

/**
 * A menu behind a button. The browser's popover closes on outside clicks, lies above dialogs and restores the focus. Radix's menu
 * does the same with 25 kB of JavaScript in the first load, an eighth of it.
 */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return;
    // The items are drawn only while it is open, and before it is measured.
    flushSync(() => setOpen(true));
    requestAnimationFrame(() => {
      if (!box.current || !button.current) return;
      place(box.current, button.current, align);
      itemsOf(box.current)[0]?.focus({ preventScroll: true });
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // In a menu, letters find an item and are no shortcuts of the page.
    event.stopPropagation();
    if (event.key === 'Tab') box.current?.hidePopover();
    const items = itemsOf(event.currentTarget);
    const next = itemToFocus(
      event.key,
      items,
      items.find((item) => item === document.activeElement),
    );
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <>
      <Slot ref={button} id={`${id}-button`} popoverTarget={id} aria-haspopup="menu" aria-expanded={isOpen}>
        {trigger}
      </Slot>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-button`}
        tabIndex={-1}
        onBeforeToggle={onBeforeToggle}
        // After closing: the browser restores the focus from an item, which must still be there.
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={onKeyDown}
        className="fixed inset-auto m-0 max-h-[calc(100dvh-16px)] min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-ink shadow-float outline-none open:animate-fade-in"
      >
        {isOpen && children}
      </div>
    </>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')];
}

type MenuItemProps = Omit<ComponentProps<'button'>, 'onSelect'> & {
  onSelect?: () => void;
  /** The one child is the item: a link for example. */
  asChild?: boolean;
  shortcut?: string;
  isDanger?: boolean;
};

export function MenuItem({
  className,
  onSelect,
  asChild,
  shortcut,
  isDanger,
  disabled,
  children,
  ...rest
}: MenuItemProps) {
  const Root = asChild ? Slot : 'button';
  const { shortcuts } = usePreferences();
  // Single keys can be switched off; those with Alt are always there.
  const keys = shortcut && (shortcuts || shortcut.includes('+')) ? shortcut : undefined;
  const choose = (event: MouseEvent<HTMLElement>) => {
    if (disabled) return event.preventDefault();
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    onSelect?.();
  };
  return (
    <Root
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      className={cn(look, isDanger ? 'text-bad' : '[&_svg]:text-ink-3', className)}
      onClick={choose}
      {...(asChild ? {} : { type: 'button' as const })}
      {...rest}
    >
      {asChild ? (
        children
      ) : (
        <>
          {children}
          {keys && <kbd className="ml-auto pl-6 font-sans text-ink-3 text-sm">{keys}</kbd>}
        </>
      )}
    </Root>
  );
}

/** A choice of one value, as menu items. */
export function MenuChoices<T extends string>(props: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: ReactNode }[];
}) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <fieldset> has no place in a menu
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-2.5 pt-1.5 pb-1 text-ink-3 text-sm">
        {props.label}
      </p>
      {props.choices.map((choice) => {
        const isChosen = choice.value === props.value;
        return (
          <MenuItem
            key={choice.value}
            role="menuitemradio"
            aria-checked={isChosen}
            onSelect={() => props.onChange(choice.value)}
          >
            <Check aria-hidden className={cn(!isChosen && 'invisible')} />
            {choice.label}
          </MenuItem>
        );
      })}
    </div>
  );
}

export function MenuSeparator() {
  return <hr className="my-1 border-line" />;
}
