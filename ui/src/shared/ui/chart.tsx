import type { ReactNode } from 'react';
import { Table } from './table';

/** The width of a point and the height of the drawing. */
const STEP = 10;
const HEIGHT = 100;

export type Series<P> = {
  label: string;
  value: (point: P) => number | null;
  look: 'bar' | 'line';
  /** Its colour: `fill-…` of a bar, `stroke-…` of a line. */
  className: string;
};

type ChartProps<P> = {
  title: string;
  /** The main result in words, beside the title. */
  summary: ReactNode;
  points: readonly P[];
  /** The name of a point, and of the axis. */
  name: (point: P) => string;
  axis: string;
  series: readonly Series<P>[];
  /** A value in words. */
  text: (value: number | null) => string;
};

/** Bars and lines over the same points, with their scale, and the same numbers as a table for screen readers. */
export function Chart<P>({ title, summary, points, name, axis, series, text }: ChartProps<P>) {
  const most = Math.max(1, ...series.flatMap(({ value }) => points.map((point) => value(point) ?? 0)));
  const marks = [0, Math.floor(points.length / 2), points.length - 1];
  return (
    <figure className="mb-7">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="font-medium">{title}</span>
        <span className="tabular text-ink-2">{summary}</span>
      </figcaption>
      <div aria-hidden className="tabular text-ink-3 text-xs">
        {text(most)}
        <svg
          viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-24 w-full border-line border-t border-b border-b-line-strong"
          role="presentation"
        >
          {series.map(({ label, look, value, className }) =>
            look === 'line' ? (
              <path key={label} d={lineOf(points.map(value), most)} {...thin} className={className} />
            ) : (
              points.map((point, at) => (
                <rect key={name(point)} {...barOf(value(point) ?? 0, at, most)} className={className}>
                  <title>{`${name(point)}: ${text(value(point))}`}</title>
                </rect>
              ))
            ),
          )}
        </svg>
        <p className="mt-1 flex justify-between">
          {marks.map((at) => {
            const point = points[at];
            return point && <span key={at}>{name(point)}</span>;
          })}
        </p>
      </div>
      <Table
        isHidden
        caption={title}
        rows={points}
        keyOf={name}
        columns={[
          { label: axis, value: name },
          ...series.map(({ label, value }) => ({ label, value: (point: P) => text(value(point)) })),
        ]}
      />
    </figure>
  );
}

const thin = { fill: 'none', strokeWidth: 1.5, strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const;

/** A bar; a value above zero is always visible. */
function barOf(value: number, at: number, most: number) {
  const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
  return { x: at * STEP + 2, y: HEIGHT - height, width: STEP - 4, height };
}

/** A line through the known values; a dot for a value without neighbours. */
export function lineOf(values: readonly (number | null)[], most: number): string {
  return values
    .map((value, at) => {
      if (value === null) return '';
      const point = `${at * STEP + STEP / 2} ${HEIGHT - 1 - (value / most) * (HEIGHT - 2)}`;
      return (values[at - 1] ?? null) === null ? `M${point}h0.01` : `L${point}`;
    })
    .join('');
}
