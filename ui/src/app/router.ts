import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { healthRoute } from './routes/health';
import { layoutRoute } from './routes/layout';
import { feedRoute, folderRoute, homeRoute } from './routes/lists';
import { rootRoute } from './routes/root';
import { searchRoute } from './routes/search';
import { settingsRoute, settingsSectionRoute } from './routes/settings';
import { setupRoute } from './routes/setup';
import { signInRoute } from './routes/sign-in';
import { watchBlogRoute, watchRoute } from './routes/watch';
import { welcomeRoute } from './routes/welcome';
import { parseSearch, stringifySearch } from './search-params';

/** All routes. Those below `layoutRoute` are for signed-in users. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  setupRoute,
  layoutRoute.addChildren([
    homeRoute,
    feedRoute,
    folderRoute,
    searchRoute,
    welcomeRoute,
    settingsRoute,
    settingsSectionRoute,
    healthRoute,
    watchRoute,
    watchBlogRoute,
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
