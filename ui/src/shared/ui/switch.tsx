import { Switch as Radix } from 'radix-ui';
import { cn } from '../lib/cn';

type SwitchProps = {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  id?: string;
  label?: string;
  className?: string;
};

/** On or off, at once. Give it a `label`, or an `id` that a `<label>` points to. */
export function Switch({ isOn, onChange, id, label, className }: SwitchProps) {
  return (
    <Radix.Root
      id={id}
      aria-label={label}
      checked={isOn}
      onCheckedChange={onChange}
      className={cn(
        'relative h-6 w-10.5 shrink-0 rounded-full after:absolute after:-inset-3 border border-line-strong bg-sunken transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent forced-colors:data-[state=checked]:bg-[Highlight]',
        className,
      )}
    >
      <Radix.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-line-strong transition-[translate,background-color] data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-accent forced-colors:bg-[ButtonText]" />
    </Radix.Root>
  );
}
