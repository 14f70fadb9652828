import { Activity, CircleDot, Newspaper, Search, Settings, Star } from 'lucide-react';
import type { Destination } from '@/shared/layout/destinations';

/** The pages that the sidebar, the bottom bar, the command palette and the shortcuts lead to. */
export const destinations: readonly Destination[] = [
  {
    label: 'places.all',
    icon: Newspaper,
    to: '/',
    filter: 'all',
    sidebar: 'top',
    isInBottomBar: true,
    shortcut: 'goAll',
  },
  {
    label: 'places.unread',
    icon: CircleDot,
    to: '/',
    filter: 'unread',
    sidebar: 'top',
    isInBottomBar: true,
    shortcut: 'goUnread',
  },
  {
    label: 'places.starred',
    icon: Star,
    to: '/',
    filter: 'starred',
    sidebar: 'top',
    isInBottomBar: true,
    shortcut: 'goStarred',
  },
  { label: 'places.search', icon: Search, to: '/search', sidebar: 'top', isInBottomBar: true, shortcut: 'search' },
  { label: 'settings', icon: Settings, to: '/settings', sidebar: 'foot' },
  { label: 'health', icon: Activity, to: '/health', sidebar: 'foot', isForOwner: true },
];
