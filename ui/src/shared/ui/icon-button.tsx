import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button';
import { Tooltip } from './tooltip';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'children' | 'asChild'> & {
  /** What it does: for screen readers, and as its tooltip. */
  label: string;
  /** The key that does the same, shown behind the label. */
  shortcut?: string;
  children: ReactNode;
};

/** A button with an icon. Its label is the tooltip. */
export function IconButton({ label, shortcut, children, look = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} isLabel>
      <Button size="icon" look={look} aria-label={label} {...rest}>
        {children}
      </Button>
    </Tooltip>
  );
}
