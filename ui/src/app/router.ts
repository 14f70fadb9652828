import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { deskRoute } from './routes/desk';
import { feedRoute } from './routes/feed';
import { folderRoute } from './routes/folder';
import { healthRoute } from './routes/health';
import { homeRoute } from './routes/home';
import { rootRoute } from './routes/root';
import { searchRoute } from './routes/search';
import { settingsRoute } from './routes/settings';
import { settingsSectionRoute } from './routes/settings-section';
import { setupRoute } from './routes/setup';
import { signInRoute } from './routes/sign-in';
import { welcomeRoute } from './routes/welcome';
import { parseSearch, stringifySearch } from './search-params';

/** The whole table of routes. What is below `deskRoute` is for people who are signed in. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  setupRoute,
  deskRoute.addChildren([
    homeRoute,
    feedRoute,
    folderRoute,
    searchRoute,
    welcomeRoute,
    settingsRoute,
    settingsSectionRoute,
    healthRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    // What is there is shown; the page that stands in for it comes softly, and need not stay.
    defaultPendingMinMs: 0,
    scrollRestoration: false,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
