import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

type EmptyStateProps = {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  /** It is the whole page: its title is the heading. */
  isPage?: boolean;
  /** Inside a section or a dialog. */
  isSmall?: boolean;
  className?: string;
};

/** An empty list: why it is empty, and what to do next. */
export function EmptyState({ title, text, icon, action, isPage = false, isSmall = false, className }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div
      className={cn(
        'mx-auto flex max-w-md animate-fade-in flex-col items-center px-6 text-center',
        isPage ? 'by-default:pt-[18dvh] pb-16' : isSmall ? 'py-8' : 'py-16',
        className,
      )}
    >
      {icon && <div className="mb-4 text-ink-3 [&_svg]:size-8 [&_svg]:stroke-[1.5]">{icon}</div>}
      <Title className="font-semibold text-lg">{title}</Title>
      {text && <p className="mt-1.5 text-balance text-ink-2">{text}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
