import { useId } from 'react';

/** A progress bar. Its label describes the progress. */
export function Progress({ label, value, most }: { label: string; value: number; most: number }) {
  const id = useId();
  return (
    <div>
      <p id={id} className="tabular mb-1.5 text-sm">
        {label}
      </p>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={most}
        className="h-1.5 overflow-hidden rounded-full bg-line forced-colors:outline forced-colors:outline-[CanvasText]"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-300 forced-colors:bg-[Highlight]"
          style={{ width: `${most > 0 ? (value / most) * 100 : 0}%` }}
        />
      </div>
    </div>
  );
}
