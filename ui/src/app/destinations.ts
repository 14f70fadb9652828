import { Activity, CircleDot, Newspaper, Search, Settings, Star } from 'lucide-react';
import type { Destination } from '@/shared/layout/destinations';

/** The pages that the sidebar, the bottom bar, the command palette and the shortcuts lead to. */
export const destinations: readonly Destination[] = [
  { label: 'places.all', icon: Newspaper, to: '/', filter: 'all', isMain: true, shortcut: 'goAll' },
  { label: 'places.unread', icon: CircleDot, to: '/', filter: 'unread', isMain: true, shortcut: 'goUnread' },
  { label: 'places.starred', icon: Star, to: '/', filter: 'starred', isMain: true, shortcut: 'goStarred' },
  { label: 'places.search', icon: Search, to: '/search', isMain: true, shortcut: 'search' },
  { label: 'settings', icon: Settings, to: '/settings', isMain: false },
  { label: 'health', icon: Activity, to: '/health', isMain: false, isForOwner: true },
];
