import path from 'node:path';
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';
import { TARGET_DIR } from '../support/options.ts';
import type { Language } from './stage.ts';

const launch = base.use?.launchOptions ?? {};

export default defineConfig<object, { language: Language }>({
  ...base,
  testDir: '.',
  outputDir: path.join(TARGET_DIR, 'screenshots-results'),
  use: {
    ...base.use,
    launchOptions: {
      ...launch,
      args: [...(launch.args ?? []), '--font-render-hinting=none', '--disable-lcd-text', '--hide-scrollbars'],
      env: {
        ...(process.env as Record<string, string>),
        FONTCONFIG_FILE: path.join(import.meta.dirname, 'fonts.conf'),
      },
    },
  },
  projects: [
    { name: 'en', testMatch: 'screens.spec.ts', use: { language: 'en' } },
    { name: 'ja', testMatch: 'screens.spec.ts', use: { language: 'ja' } },
    { name: 'hero', testMatch: 'hero.spec.ts', dependencies: ['en', 'ja'] },
  ],
});
