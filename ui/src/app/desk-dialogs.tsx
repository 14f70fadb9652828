import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

const AddFeedDialog = lazy(() =>
  import('@/features/add-feed/add-feed-dialog').then((module) => ({ default: module.AddFeedDialog })),
);
const FeedSettingsDialog = lazy(() =>
  import('@/features/feed-settings/feed-settings-dialog').then((module) => ({ default: module.FeedSettingsDialog })),
);
const CommandPalette = lazy(() =>
  import('@/features/command-palette/command-palette').then((module) => ({ default: module.CommandPalette })),
);

/** The dialogs that open over any page: by its address, and the command palette by its key. */
export function DeskDialogs() {
  const { add, edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isPaletteOpen, setPaletteOpen] = usePaletteKey();
  const close = () =>
    void navigate({ to: '.', search: (search) => ({ ...search, add: undefined, edit: undefined }), replace: true });
  return (
    <Suspense fallback={null}>
      {add !== undefined && <AddFeedDialog address={add} onClose={close} />}
      {edit !== undefined && <FeedSettingsDialog key={edit} feedId={edit} onClose={close} />}
      {isPaletteOpen && <CommandPalette onClose={() => setPaletteOpen(false)} />}
    </Suspense>
  );
}

/** Ctrl+K or ⌘K opens it, also while somebody writes, and closes it again; never over another dialog. */
function usePaletteKey() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey = event.code === 'KeyK' || event.key.toLowerCase() === 'k';
      if (!isKey || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen((wasOpen) => !wasOpen && !document.querySelector('dialog[open]'));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return [isOpen, setOpen] as const;
}
