import { useNavigate, useSearch } from '@tanstack/react-router';
import { useKeys } from '@/shared/keys/use-keys';
import { paletteOpen } from '@/shared/layout/palette';
import { useStore } from '@/shared/lib/use-store';
import { lazyPart } from '@/shared/ui/lazy-part';
import { destinations } from './destinations';

const AddFeedDialog = lazyPart(() => import('@/features/add-feed/add-feed-dialog'), 'AddFeedDialog', 'dialog');
const FeedSettingsDialog = lazyPart(
  () => import('@/features/feed-settings/feed-settings-dialog'),
  'FeedSettingsDialog',
  'dialog',
);
const CommandPalette = lazyPart(() => import('@/features/command-palette/command-palette'), 'CommandPalette', 'dialog');

/** The dialogs that open over any page: by its address, and the command palette. */
export function LayoutDialogs() {
  const { add, edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  const hasPalette = useStore(paletteOpen);
  // Also while the user types. A second press closes it. Never over another dialog.
  useKeys({ palette: () => paletteOpen.set(!paletteOpen.get() && !document.querySelector('dialog[open]')) });
  const close = () =>
    void navigate({ to: '.', search: (search) => ({ ...search, add: undefined, edit: undefined }), replace: true });
  return (
    <>
      {add !== undefined && <AddFeedDialog address={add} onClose={close} />}
      {edit !== undefined && <FeedSettingsDialog key={edit} feedId={edit} onClose={close} />}
      {hasPalette && <CommandPalette destinations={destinations} onClose={() => paletteOpen.set(false)} />}
    </>
  );
}
