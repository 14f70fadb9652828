import path from 'node:path';
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';
import { type Options, TARGET_DIR } from '../support/options.ts';

export default defineConfig<object, Options>({
  ...base,
  testDir: '.',
  testMatch: '*.measure.ts',
  outputDir: path.join(TARGET_DIR, 'e2e/measured'),
  workers: 1,
  timeout: 600_000,
  reporter: [['dot']],
  // The tables are what it is for.
  quiet: false,
  projects: [{ name: 'sqlite', use: { database: 'sqlite' } }],
});
