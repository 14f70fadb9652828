import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Keys, useKeys } from '@/shared/keys/use-keys';
import { type Destination, searchOf } from '@/shared/layout/destinations';
import { lazyPart } from '@/shared/ui/lazy-part';

const ShortcutHelp = lazyPart(() => import('./shortcut-help'), 'ShortcutHelp', 'dialog');

/** The keys that work on every page, and the help for all keys. */
export function Shortcuts({ destinations }: { destinations: readonly Destination[] }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const places: Keys = Object.fromEntries(
    destinations.flatMap((one) =>
      one.shortcut ? [[one.shortcut, () => void navigate({ to: one.to, search: searchOf(one) })]] : [],
    ),
  );
  useKeys({ ...places, help: () => setOpen(true) });
  return isOpen && <ShortcutHelp onClose={() => setOpen(false)} />;
}
