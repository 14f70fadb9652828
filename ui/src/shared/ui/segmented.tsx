import { type ReactNode, useId } from 'react';
import { cn } from '../lib/cn';

type SegmentedProps<T extends string> = {
  /** The name of the choice, for screen readers. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode }[];
  className?: string;
};

/** A choice of one value, side by side. They are radio buttons, for arrow keys and screen readers. */
export function Segmented<T extends string>({ label, value, onChange, options, className }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={cn('by-default:inline-flex rounded-lg border border-line bg-sunken p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex min-h-7 cursor-pointer select-none items-center justify-center rounded-md px-3 text-ink-2 text-sm transition-colors hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line-strong)] has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1 max-md:min-h-11 forced-colors:has-checked:bg-[SelectedItem] forced-colors:has-checked:text-[SelectedItemText] forced-colors:has-checked:[forced-color-adjust:none]"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
