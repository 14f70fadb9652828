import { useId } from 'react';

/** How far something is. */
export function Progress({ label, value, most, text }: { label: string; value: number; most: number; text: string }) {
  const id = useId();
  const part = most > 0 ? (value / most) * 100 : 0;
  return (
    <div>
      <p className="mb-1.5 flex justify-between gap-4 text-sm">
        <span id={id}>{label}</span>
        <span className="tabular text-ink-3">{text}</span>
      </p>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-line forced-colors:outline forced-colors:outline-[CanvasText]"
      >
        <div
          className="h-full rounded-full bg-accent forced-colors:bg-[Highlight] transition-[width] duration-300"
          style={{ width: `${part}%` }}
        />
      </div>
    </div>
  );
}
