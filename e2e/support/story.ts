// What a story about reading gets: a desk with accounts of its own, an origin with feeds, and people.
// All stories of a worker share the desk, so each has people and feeds of its own.

import type { Browser, BrowserContextOptions } from '@playwright/test';
import { Desk } from './desk.ts';
import { test as base, expect } from './options.ts';
import { Origin } from './origin.ts';
import { type Account, Reader } from './reader.ts';
import { Watch } from './watch.ts';

export { expect };

/** How somebody arrives. */
export type Arrival = {
  /** Given by chance if left out. */
  name?: string;
  /** Another desk than the one that all share. */
  desk?: Desk;
  /** An account that there is already: another browser of the same person. */
  account?: Account;
  /** An owner sees the health of feeds and jobs. */
  isOwner?: boolean;
  /** False for somebody who has only opened a browser. */
  isSignedIn?: boolean;
  /** What is different about their browser: viewport, locale, colorScheme, hasTouch … */
  browser?: BrowserContextOptions;
};

type Shared = { desk: Desk };

type Own = {
  /** A server with feeds. */
  origin: Origin;
  /** Somebody with an account and a browser that is signed in. */
  reader: Reader;
  /** As many more people as the story has. */
  arrive: (arrival?: Arrival) => Promise<Reader>;
  /** Starts a desk of the story's own, with no account in it and settings of its own. */
  startDesk: (settings?: Record<string, string>) => Promise<Desk>;
};

/** Local accounts, feeds on loopback, and nobody is told to wait. */
const SETTINGS = {
  LOG_LEVEL: 'info',
  FETCH_ALLOW_NETS: '127.0.0.0/8',
  FETCH_HOST_GAP: '0s',
  FETCH_HOST_CONCURRENCY: '10',
  RATE_LIMIT_GENERAL: '1000000',
  RATE_LIMIT_FEED_REG: '1000000',
  RATE_LIMIT_SIGN_IN: '1000000',
};

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let people = 0;

export const test = base.extend<Own, Shared>({
  desk: [
    async ({ database }, use) => {
      const desk = await Desk.start(database, { ...SETTINGS, LOCAL_REGISTRATION: 'true' });
      await addUser(desk, accountOf('Oyakata'), true);
      await use(desk);
      await stopInOrder(desk);
    },
    { scope: 'worker' },
  ],

  origin: async ({}, use) => {
    const origin = await Origin.listen();
    await use(origin);
    await origin.stop();
  },

  startDesk: async ({ database }, use) => {
    const started: Desk[] = [];
    await use(async (settings = {}) => {
      const desk = await Desk.start(database, { ...SETTINGS, ...settings });
      started.push(desk);
      return desk;
    });
    for (const desk of started) await stopInOrder(desk);
  },

  arrive: async ({ browser, desk }, use) => {
    const arrived: Reader[] = [];
    await use(async (arrival = {}) => {
      const reader = await arriveAt(arrival.desk ?? desk, browser, arrival);
      arrived.push(reader);
      return reader;
    });
    for (const reader of arrived) await reader.context.close();
    for (const reader of arrived) reader.watch.check();
  },

  reader: async ({ arrive }, use) => use(await arrive()),
});

async function arriveAt(desk: Desk, browser: Browser, arrival: Arrival): Promise<Reader> {
  const context = await browser.newContext(arrival.browser);
  const watch = new Watch(context);
  const page = await context.newPage();
  const reader = new Reader({ context, page, watch }, desk, arrival.account ?? accountOf(arrival.name ?? 'Hana'));
  if (arrival.isSignedIn === false) return reader;
  // Not registered through the API, which allows ten accounts a minute from one address.
  if (!arrival.account) await addUser(desk, reader.account, arrival.isOwner);
  await reader.signIn();
  return reader;
}

/** Beside the running server, as whoever runs it would. */
export async function addUser(desk: Desk, { email, name, password }: Account, isOwner = false): Promise<void> {
  const owner = isOwner ? ['--owner'] : [];
  await desk.run(['user', 'add', email, '--name', name, '--password-stdin', ...owner], password);
}

function accountOf(name: string): Account {
  people += 1;
  return { name, email: `${name.toLowerCase()}-${people}@news.test`, password: `paper and ink ${people}` };
}

async function stopInOrder(desk: Desk): Promise<void> {
  expect(await desk.stop(), desk.log).toBe(0);
  const errors = desk.log.split('\n').filter((line) => line.includes('"level":"ERROR"'));
  expect(errors, 'the program logged errors').toEqual([]);
}
