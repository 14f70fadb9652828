import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';
import type { Options } from '../support/options.ts';

export default defineConfig<object, Options>({
  ...base,
  testDir: '.',
  testMatch: '*.measure.ts',
  outputDir: '../../target/e2e/measured',
  workers: 1,
  timeout: 600_000,
  reporter: [['dot']],
  // The tables are what it is for.
  quiet: false,
  projects: [{ name: 'sqlite', use: { database: 'sqlite' } }],
});
