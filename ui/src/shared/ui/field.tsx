import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn';

const box =
  'w-full rounded-lg border border-line-strong bg-surface px-3 text-[max(16px,1rem)] text-ink md:text-base hover:border-ink-3 aria-invalid:border-bad disabled:opacity-60';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(box, 'h-10 max-md:h-11', className)} {...rest} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select className={cn(box, 'h-10 appearance-none truncate pr-9 max-md:h-11', className)} {...rest} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-3 forced-colors:text-[CanvasText]"
      />
    </div>
  );
}

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: ReactNode;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with what is in it. */
  error?: string | undefined;
  /** A small button inside the box, at its end. */
  end?: ReactNode;
};

/** A labelled box for one line of text, with its hint and its error where screen readers find them. */
export function Field({ label, hint, error, end, className, ...rest }: FieldProps) {
  const id = useId();
  const described = (error && `${id}-error`) || (hint && `${id}-hint`);
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="relative">
        <Input
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={end ? 'pr-12' : undefined}
          {...rest}
        />
        {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
      </div>
      {hint && !error && (
        <p id={`${id}-hint`} className="text-ink-3 text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
