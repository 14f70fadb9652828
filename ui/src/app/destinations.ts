import { Activity, Binoculars, CircleDot, Newspaper, Search, Settings, Star } from 'lucide-react';
import type { Destination } from '@/shared/layout/destinations';

/** The pages that the sidebar, the bottom bar, the command palette and the shortcuts lead to. */
export const destinations: readonly Destination[] = [
  { label: 'places.all', icon: Newspaper, to: '/', filter: 'all', where: 'main', shortcut: 'goAll' },
  { label: 'places.unread', icon: CircleDot, to: '/', filter: 'unread', where: 'main', shortcut: 'goUnread' },
  { label: 'places.starred', icon: Star, to: '/', filter: 'starred', where: 'main', shortcut: 'goStarred' },
  { label: 'places.search', icon: Search, to: '/search', where: 'main', shortcut: 'search' },
  { label: 'watch', icon: Binoculars, to: '/watch', where: 'top', shortcut: 'goWatch' },
  { label: 'settings', icon: Settings, to: '/settings', where: 'foot' },
  { label: 'health', icon: Activity, to: '/health', where: 'foot', isForOwner: true },
];
