import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BUDGETS } from './build/budgets.ts';
import { firstLoad } from './build/first-load.ts';
import { licenses } from './build/licenses.ts';
import { precompress } from './build/precompress.ts';
import { serviceWorker } from './build/service-worker.ts';
import { sizeBudget } from './build/size-budget.ts';

/** Where the binary listens while one works on the client. */
const server = process.env.KAWARABAN_URL ?? 'http://localhost:8080';
const proxy = Object.fromEntries(['/api', '/auth'].map((path) => [path, { target: server, changeOrigin: false }]));

/** What the binary sends with every page, so that `npm run preview` breaks where it would. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; object-src 'none'; " +
  "frame-ancestors 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types kawaraban";

/** What every page needs of others, and of ours. */
const LIBRARIES =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!.*virtual)[^/]+|i18next|react-i18next|openapi-fetch|clsx|class-variance-authority)\//;
const SHARED =
  /\/src\/shared\/((api|items|keys|layout|lib|offline|preferences)\/|content\/(?!highlight))|\/src\/shared\/ui\/(button|dialog|empty-state|error-state|feed-icon|icon-button|lazy-part|menu|page-title|segmented|skeleton|time|tooltip)\.tsx?$/;

/** Files of the first list that are called nearly whole. */
const CALLED_AT_ONCE = new Set(['libraries', 'shared', 'reader-page', 'icons']);

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    firstLoad(),
    sizeBudget({ kilobytes: BUDGETS.firstLoadKilobytes }),
    serviceWorker(),
    licenses(),
    precompress(),
  ],
  resolve: { alias: { '@': path.resolve(import.meta.dirname, 'src') } },
  server: { proxy },
  preview: { proxy, headers: { 'Content-Security-Policy': policy } },
  build: {
    target: 'es2023',
    // A `data:` address would be one more thing to allow.
    assetsInlineLimit: 0,
    // The few files of a page are preloaded by the browser itself.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file: it is nearly all in the first one anyway, and nothing waits for a second.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Chromium compiles them as a whole while they come, beside the page's own work, and not function by function when each
        // is first called: that took a quarter of the first visit on a slow phone.
        postBanner: ({ name }) => (CALLED_AT_ONCE.has(name) ? '//# allFunctionsCalledOnLoad' : ''),
        // Few files for the first list, not one for each handful of modules that two pages share: each costs a round trip.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: LIBRARIES, priority: 2 },
            { name: 'shared', test: SHARED, priority: 1 },
            { name: 'icons', test: /\/node_modules\/lucide-react\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
  test: {
    // Pure logic by default; a test that needs a page begins with `// @vitest-environment jsdom`.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
    // With a process for each file, some did not start within the minute that Vitest gives them on a busy machine, and most of
    // the time was spent on starting. tests/setup.ts gives each file modules of its own instead.
    isolate: false,
    // Only a bound for a test that hangs. A busy machine needs seconds for the first render of a page.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
