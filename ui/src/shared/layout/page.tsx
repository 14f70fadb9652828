import type { ReactNode } from 'react';
import { cn } from '../lib/cn';
import { usePageTitle } from '../ui/page-title';
import { SidebarButton } from './sidebar-button';

type PageProps = {
  title: string;
  /** Buttons at the right end of the bar. */
  actions?: ReactNode;
  /** For the column that the content is in. */
  className?: string;
  children: ReactNode;
};

/** A page of the right pane that is not a list: a bar with its title, a column below. */
export function Page({ title, actions, className, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-5 max-md:px-4">
        <SidebarButton />
        <h1 className="min-w-0 flex-1 truncate font-semibold">{title}</h1>
        {actions}
      </header>
      <div className="min-h-0 flex-1 scroll-py-16 overflow-y-auto">
        <div className={cn('mx-auto w-full by-default:max-w-3xl px-5 py-8 max-md:px-4 max-md:py-5', className)}>
          {children}
        </div>
      </div>
    </div>
  );
}
