import { type ReactNode, useId } from 'react';
import { cn } from '@/shared/lib/cn';

/** Settings that belong together, under a heading. */
export function Group({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-10">
      <h3 id={id} className="font-semibold text-lg">
        {title}
      </h3>
      {text && <p className="mt-0.5 text-pretty text-ink-2">{text}</p>}
      <div className="mt-3.5">{children}</div>
    </section>
  );
}

type SettingProps = { label: ReactNode; htmlFor?: string; hint?: ReactNode; className?: string; children: ReactNode };

/** One setting: its name and, at the other end of the line, what to do about it. */
export function Setting({ label, htmlFor, hint, className, children }: SettingProps) {
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-line border-b py-3.5',
        className,
      )}
    >
      <div className="min-w-40 flex-1">
        {htmlFor ? (
          <label htmlFor={htmlFor} className="font-medium">
            {label}
          </label>
        ) : (
          <p className="font-medium">{label}</p>
        )}
        {hint && <p className="max-w-prose text-pretty text-ink-3 text-sm">{hint}</p>}
      </div>
      {children}
    </div>
  );
}

/** Things in rows with hairlines between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line border-line border-y">{children}</ul>;
}

/** One of them: what it is, and a button. */
export function Row({ title, details, action }: { title: ReactNode; details?: ReactNode; action?: ReactNode }) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">{title}</p>
        {details && <p className="text-ink-3 text-sm [overflow-wrap:anywhere]">{details}</p>}
      </div>
      {action}
    </li>
  );
}

/** A word in a small frame behind a title. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="rounded-sm border border-line px-1.5 text-ink-2 text-xs">{children}</span>;
}
