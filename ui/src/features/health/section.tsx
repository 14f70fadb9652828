import { type ReactNode, useId } from 'react';

/** A part of the page: its heading, what to choose beside it, and what it shows. */
export function Section({ title, choice, children }: { title: string; choice?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-ink border-t-2 pt-3">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {choice}
      </div>
      {children}
    </section>
  );
}
