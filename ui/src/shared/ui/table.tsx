import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

export type Column<T> = {
  label: string;
  value: (row: T) => ReactNode;
  /** Aligned at the end, with tabular figures. */
  isNumber?: boolean;
};

type TableProps<T> = {
  caption: string;
  /** The first one names the row. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** For screen readers only: the same numbers as a chart. */
  isHidden?: boolean;
};

/** A table; a wide one scrolls sideways inside its box. */
export function Table<T>({ caption, columns, rows, keyOf, isHidden = false }: TableProps<T>) {
  const look = (column: Column<T>) => cn('px-3 py-2 first:pl-0', column.isNumber ? 'tabular text-end' : 'text-start');
  return (
    <div className={isHidden ? 'sr-only' : 'overflow-x-auto'}>
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line border-b text-ink-3 text-sm">
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={cn(look(column), 'font-normal')}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, at) => {
                const Cell = at === 0 ? 'th' : 'td';
                return (
                  <Cell
                    key={column.label}
                    scope={at === 0 ? 'row' : undefined}
                    className={cn(look(column), 'font-normal')}
                  >
                    {column.value(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
