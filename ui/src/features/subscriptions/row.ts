/** The classes of every row of the sidebar. */
export const row =
  'group/row relative flex min-h-8 items-center gap-2 rounded-md pr-1.5 pl-2.5 by-default:text-ink-2 hover:bg-hover has-[a[data-status=active]]:chosen has-[a[data-status=active]]:text-ink max-md:min-h-11';

/** A link as large as its row. */
export const wholeRow =
  'min-w-0 flex-1 truncate outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2';

/** The row of the current page, for links that the router does not mark as active. */
export const current = 'chosen text-ink';
