// What every story gets, whatever it is about.

import { test as base, expect } from '@playwright/test';
import type { Database } from './desk.ts';

export { expect };

/** The folder that cargo builds into, as scripts/browser-tests names it. */
export const TARGET_DIR = process.env.KAWARABAN_TARGET_DIR ?? '';

export type Options = { database: Database };

export type Stoppable = { stop(): Promise<unknown> };

type Own = {
  /** Keeps something that has to be stopped after the test, however it ends, and hands it back. */
  keep: <T extends Stoppable>(started: T) => T;
};

export const test = base.extend<Own, Options>({
  database: ['sqlite', { option: true, scope: 'worker' }],

  keep: async ({}, use) => {
    const kept: Stoppable[] = [];
    await use((started) => {
      kept.push(started);
      return started;
    });
    for (const one of kept.reverse()) await one.stop();
  },
});
