import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn';

const box =
  'w-full rounded-lg border border-line-strong/60 bg-surface px-3 text-[max(16px,1rem)] text-ink md:text-base hover:border-line-strong aria-invalid:border-bad disabled:opacity-60';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(box, 'h-10 max-md:h-11', className)} {...rest} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={cn(box, 'h-10 pr-8 max-md:h-11', className)} {...rest} />;
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
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
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
