import type { ReactNode } from 'react';
import { cn } from '../lib/cn';
import { usePageTitle } from '../ui/page-title';
import { SidebarButton } from './sidebar-button';

type PageProps = {
  title: string;
  /** The title of the browser tab, where it says more. Screen readers say `title`. */
  tab?: string;
  /** Shown in the bar instead of the title. */
  bar?: ReactNode;
  /** Buttons at the right end of the bar. */
  actions?: ReactNode;
  /** For the column that the content is in. */
  className?: string;
  children: ReactNode;
};

/** A page of the right pane that is not a list: a bar with its title, a column below. */
export function Page({ title, tab, bar, actions, className, children }: PageProps) {
  usePageTitle(tab || title, title);
  return (
    <div className="relative flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-5 has-[input:focus-visible]:shadow-[inset_0_-2px_var(--accent)] max-md:px-4">
        <SidebarButton />
        <h1 className={bar ? 'sr-only' : 'min-w-0 flex-1 truncate font-semibold'}>{title}</h1>
        {bar}
        {actions}
      </header>
      <div className="min-h-0 flex-1 scroll-py-16 overflow-y-auto">
        <div
          className={cn(
            'mx-auto w-full by-default:max-w-3xl by-default:px-5 by-default:py-8 by-default:max-md:px-4 by-default:max-md:py-5',
            className,
          )}
        >
          {children}
        </div>
      </div>
    </div>
  );
}
