import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { precompress } from './build/precompress.ts';
import { sizeBudget } from './build/size-budget.ts';

/** Where the binary listens while one works on the client. */
const server = process.env.KAWARABAN_URL ?? 'http://localhost:8080';
const proxy = Object.fromEntries(['/api', '/auth'].map((path) => [path, { target: server, changeOrigin: false }]));

/** What the binary sends with every page, so that `npm run preview` breaks where it would. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; object-src 'none'; " +
  "frame-ancestors 'none'; form-action 'self'";

export default defineConfig({
  plugins: [react(), tailwindcss(), sizeBudget({ kilobytes: 200 }), precompress()],
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
  },
  test: {
    // Pure logic by default; a test that needs a page begins with `// @vitest-environment jsdom`.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
  },
});
