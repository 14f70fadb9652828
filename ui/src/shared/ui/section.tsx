import { type ReactNode, useId } from 'react';
import { cn } from '../lib/cn';
import { Switch } from './form-field';

type SectionProps = {
  title: string;
  text?: ReactNode;
  /** A choice beside the title. */
  choice?: ReactNode;
  /** The level of its heading. */
  level?: 2 | 3;
  /** With a thick line above it, for pages with a few large sections. */
  isRuled?: boolean;
  children: ReactNode;
};

/** A part of a page, under a heading. */
export function Section({ title, text, choice, level = 2, isRuled = false, children }: SectionProps) {
  const id = useId();
  const Title = `h${level}` as const;
  return (
    <section aria-labelledby={id} className="mb-10">
      <div className={cn('mb-3.5', isRuled && 'border-ink border-t-2 pt-3')}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Title id={id} className="font-semibold text-lg">
            {title}
          </Title>
          {choice}
        </div>
        {text && <p className="mt-0.5 text-pretty text-ink-2">{text}</p>}
      </div>
      {children}
    </section>
  );
}

/** Rows with hairlines between them. */
export function Rows({ className, children }: { className?: string; children: ReactNode }) {
  return <ul className={cn('divide-y divide-line border-line border-y', className)}>{children}</ul>;
}

type RowProps = {
  title: ReactNode;
  /** The control that the title labels. */
  htmlFor?: string;
  details?: ReactNode;
  /** A button or a control at the end. */
  action?: ReactNode;
  /** More lines below the details. */
  children?: ReactNode;
};

/** An entry or a setting, with its action. */
export function Row({ title, htmlFor, details, action, children }: RowProps) {
  const Title = htmlFor ? 'label' : 'p';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <Title htmlFor={htmlFor} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium wrap-anywhere">
          {title}
        </Title>
        {details && <p className="max-w-prose text-pretty text-ink-3 text-sm wrap-anywhere">{details}</p>}
        {children}
      </div>
      {action}
    </li>
  );
}

type SwitchRowProps = Pick<RowProps, 'details'> & { title: string; checked: boolean; onChange: () => void };

/** A setting that is on or off. */
export function SwitchRow({ title, details, ...rest }: SwitchRowProps) {
  const id = useId();
  return <Row title={title} htmlFor={id} details={details} action={<Switch id={id} {...rest} />} />;
}

/** A word in a small frame behind a title. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="rounded-sm border border-line px-1.5 text-ink-2 text-xs">{children}</span>;
}

/** Text of a program, as it is: an error, a licence. */
export function Verbatim({ children }: { children: ReactNode }) {
  return (
    <p lang="en" className="mt-2 whitespace-pre-wrap rounded-md bg-sunken px-3 py-2 font-mono text-xs wrap-anywhere">
      {children}
    </p>
  );
}
