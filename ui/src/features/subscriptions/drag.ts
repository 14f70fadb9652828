import { type DragEvent, useState } from 'react';
import type { Folder, Subscription } from './tree';

/** The feed or folder that is dragged. Files and other things that are dragged over the page are ignored. */
let dragged: { kind: 'feed'; feed: Subscription } | { kind: 'folder'; folder: Folder } | null = null;

const drag = (what: NonNullable<typeof dragged>, text: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.stopPropagation();
    dragged = what;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', text);
  },
  onDragEnd: () => {
    dragged = null;
  },
});

export const dragFeed = (feed: Subscription) => drag({ kind: 'feed', feed }, feed.feed_url);
export const dragFolder = (folder: Folder) => drag({ kind: 'folder', folder }, folder.name);

type Drop = { onFeed: (feed: Subscription) => void; onFolder?: (folder: Folder) => void };

/** A target for dragged feeds, or folders. `over` is the kind of what is above it. */
export function useDrop({ onFeed, onFolder }: Drop) {
  const [over, setOver] = useState<'feed' | 'folder' | null>(null);
  const accepts = () => dragged !== null && (dragged.kind === 'feed' || onFolder !== undefined);
  return {
    over,
    target: {
      onDragOver: (event: DragEvent) => {
        if (!accepts() || !dragged) return;
        event.preventDefault();
        setOver(dragged.kind);
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
      },
      onDrop: (event: DragEvent) => {
        setOver(null);
        if (!accepts() || !dragged) return;
        event.preventDefault();
        if (dragged.kind === 'feed') onFeed(dragged.feed);
        else onFolder?.(dragged.folder);
        dragged = null;
      },
    },
  };
}
