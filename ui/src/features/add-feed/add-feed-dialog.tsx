import '@/shared/i18n/reader-words';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFolderChoice } from '@/shared/folders/folder-choice';
import { Dialog } from '@/shared/ui/dialog';
import { toast } from '@/shared/ui/toast-store';
import { FeedForm } from './feed-form';
import { SiteForm } from './site-form';
import { type Added, useAddFeed } from './use-add-feed';

type AddFeedDialogProps = {
  /** The first address. Unless it is empty, the search for feeds starts at once. */
  address: string;
  onClose: () => void;
};

/** Subscribes to the feed of an address, or watches a site that has none. */
export function AddFeedDialog({ address: initial, onClose }: AddFeedDialogProps) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const [address, setAddress] = useState(initial);
  /** The address of the site whose preview is shown. */
  const [site, setSite] = useState<string | null>(null);
  const folder = useFolderChoice();
  const isOpen = useRef(true);

  const onAdded = (feeds: Added[]) => {
    const [first] = feeds;
    if (!first) return onClose();
    const many = t('add.addedMany', { count: feeds.length });
    toast({ message: feeds.length === 1 ? t('add.added', { title: first.title || first.feed_url }) : many });
    // A user who has closed the dialog stays on the page.
    if (isOpen.current) void navigate({ to: '/feeds/$feedId', params: { feedId: first.id } });
  };
  const adding = useAddFeed({ resolveFolder: folder.resolve, onAdded });
  const begin = useRef(adding.begin);
  useEffect(() => {
    if (initial !== '') begin.current(initial);
  }, [initial]);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const shared = { adding, folder, onClose };
  const showSite = () => {
    adding.restart();
    setSite(address.trim());
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(site === null ? 'add.title' : 'site.title')}>
      {site === null ? (
        <FeedForm {...shared} address={address} onAddress={setAddress} onWatch={showSite} />
      ) : (
        <SiteForm {...shared} address={site} onBack={() => setSite(null)} />
      )}
    </Dialog>
  );
}
