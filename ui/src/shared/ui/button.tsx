import { Slot } from '@radix-ui/react-slot';
import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '../lib/cn';

const looks = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap by-default:font-medium transition-colors duration-100 disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        primary: 'bg-accent text-on-accent hover:bg-accent-hover',
        plain: 'border border-line bg-surface text-ink hover:bg-hover',
        quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
        /** On the dark background of a toast. */
        toast: 'text-bg outline-bg hover:bg-bg/15',
        danger: 'border border-bad/40 bg-surface text-bad hover:bg-bad-soft',
        link: 'text-link underline decoration-line-strong/50 underline-offset-3 hover:decoration-current',
      },
      size: {
        md: 'h-9 rounded-lg px-3.5 text-base max-md:h-11',
        sm: 'h-7 by-default:rounded-md by-default:px-2.5 text-sm max-md:h-11 max-md:px-3.5',
        /** The height of an input. */
        field: 'h-10 rounded-lg px-3.5 text-base max-md:h-11',
        lg: 'h-11 rounded-lg px-5 text-base',
        icon: 'by-default:size-8 rounded-md [&_svg]:size-[18px] max-md:size-11',
        inline: 'h-auto p-0',
      },
    },
    defaultVariants: { look: 'plain', size: 'md' },
  },
);

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof looks> & {
    /** Gives the look to the one child, a link for example. */
    asChild?: boolean;
    /** Shows a spinner and ignores clicks. Unlike a disabled button it keeps the focus. */
    isBusy?: boolean;
  };

export function Button({ look, size, asChild, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  const classes = cn(looks({ look, size }), className);
  if (asChild) {
    return (
      <Slot className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? refuse : onClick}
      {...rest}
    >
      {isBusy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}

/** Also stops Enter in a field, which clicks the button of the form. */
function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
