import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { type Options, TARGET_DIR } from './support/options.ts';

// The machine's own Chromium: nothing is downloaded. It gets no network beyond this machine, and asks for none.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig<object, Options>({
  testDir: 'tests',
  outputDir: path.join(TARGET_DIR, 'e2e/results'),
  // Each takes the stories of one file on one database, with a program, a provider and a browser of its own.
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: [['line']],
  // The provider warns at length against being used for anything but tests.
  quiet: true,
  use: {
    headless: true,
    locale: 'en-GB',
    launchOptions: { executablePath: process.env.KAWARABAN_CHROMIUM, args: flags },
  },
  projects: [
    { name: 'sqlite', use: { database: 'sqlite' } },
    // The other stories are about the client and HTTP: once is enough.
    { name: 'postgres', grep: /@database/, use: { database: 'postgres' } },
  ],
});
