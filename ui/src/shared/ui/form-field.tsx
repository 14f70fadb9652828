import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn';

const box =
  'w-full rounded-lg border border-line-strong bg-surface px-3 text-[max(16px,1rem)] text-ink md:text-base hover:border-ink-3 aria-invalid:border-bad disabled:opacity-60';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(box, 'h-10 max-md:h-11', className)} {...rest} />;
}

/** For an input with an address of a page or a feed. */
export const urlInput = { inputMode: 'url', autoCapitalize: 'off', autoComplete: 'off', spellCheck: false } as const;

function Select(props: ComponentProps<'select'>) {
  return (
    <>
      <select className={cn(box, 'h-10 appearance-none truncate pr-9 max-md:h-11')} {...props} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-3 forced-colors:text-[CanvasText]"
      />
    </>
  );
}

/** A checkbox that acts at once and looks like a switch. Give it a `<label>` or an `aria-label`. */
export function Switch(props: ComponentProps<'input'>) {
  return (
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its state itself
      role="switch"
      className="relative h-6 w-10.5 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-line-strong before:transition-[translate,background-color] after:absolute after:-inset-3 checked:border-accent checked:bg-accent checked:before:translate-x-4.5 checked:before:bg-on-accent forced-colors:appearance-auto"
      {...props}
    />
  );
}

const controls = {
  input: Input,
  select: Select,
  textarea: (props: ComponentProps<'textarea'>) => <textarea className={cn(box, 'min-h-24 py-2')} {...props} />,
  checkbox: (props: ComponentProps<'input'>) => (
    <input type="checkbox" className="size-4.5 shrink-0 accent-(--accent)" {...props} />
  ),
  switch: Switch,
} as const;

type Kind = keyof typeof controls;

type FormFieldProps<K extends Kind> = Omit<ComponentProps<(typeof controls)[K]>, 'id'> & {
  kind?: K;
  label: ReactNode;
  /** Help for filling it in. */
  hint?: ReactNode;
  /** The error of the value. */
  error?: string | undefined;
  /** A small button inside the box, at its end. */
  end?: ReactNode;
};

/** A labelled control, with its hint and its error where screen readers find them. */
export function FormField<K extends Kind = 'input'>(props: FormFieldProps<K>) {
  const { kind = 'input', label, hint, error, end, className, ...rest } = props as FormFieldProps<Kind>;
  const id = useId();
  const Control = controls[kind] as (props: Record<string, unknown>) => ReactNode;
  const isBeside = kind === 'checkbox' || kind === 'switch';
  const note = error ?? hint;
  const control = (
    <Control
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={note ? `${id}-note` : undefined}
      {...(end ? { className: 'pr-12' } : {})}
      {...rest}
    />
  );
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <div className={cn(isBeside ? 'flex min-h-6 items-center gap-2.5' : 'contents')}>
        {isBeside && control}
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
      </div>
      {!isBeside && (
        <div className="relative">
          {control}
          {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
        </div>
      )}
      {note && (
        <p
          id={`${id}-note`}
          role={error ? 'alert' : undefined}
          className={cn('text-sm', error ? 'text-bad' : 'text-ink-3')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
