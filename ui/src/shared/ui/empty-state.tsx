import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

type EmptyStateProps = {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  /** It is all there is: its title is the page's. */
  isPage?: boolean;
  className?: string;
};

/** What a list says when nothing is in it: why, and what to do next. */
export function EmptyState({ title, text, icon, action, isPage = false, className }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div
      className={cn('mx-auto flex max-w-md animate-fade-in flex-col items-center px-6 py-16 text-center', className)}
    >
      {icon && <div className="mb-4 text-ink-3 [&_svg]:size-8 [&_svg]:stroke-[1.5]">{icon}</div>}
      <Title className="font-semibold text-lg">{title}</Title>
      {text && <p className="mt-1.5 text-balance text-ink-2">{text}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
