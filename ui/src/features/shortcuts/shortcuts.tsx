import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useKeys } from '@/shared/keys/use-keys';
import { lazyPart } from '@/shared/ui/lazy-part';

const ShortcutHelp = lazyPart(() => import('./shortcut-help'), 'ShortcutHelp', 'dialog');

/** The keys that work on every page, and the help about all of them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const go = (filter: 'all' | 'unread' | 'starred') => () => void navigate({ to: '/', search: { filter } });
  useKeys({
    goAll: go('all'),
    goUnread: go('unread'),
    goStarred: go('starred'),
    search: () => void navigate({ to: '/search' }),
    help: () => setOpen(true),
  });
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutHelp onClose={() => setOpen(false)} />
    </Suspense>
  );
}
