// What the pictures show: a desk on which somebody has been reading for a while.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, expect } from '@playwright/test';
import { Desk } from '../support/desk.ts';
import { type Account, type Item, Reader, type Subscription } from '../support/reader.ts';
import { addUser } from '../support/story.ts';
import { Watch } from '../support/watch.ts';
import { Sites } from './sites.ts';

export type Language = 'en' | 'ja';
export type Who = 'owner' | 'newcomer' | 'nobody';

const people = {
  en: { email: 'ann@paper-mill.example', name: 'Ann Field', password: 'paper and ink, twice' },
  ja: { email: 'hana@kami-to-hangi.example', name: '佐藤 花', password: 'paper and ink, twice' },
} as const satisfies Record<Language, Account>;

const newcomer = { email: 'new@paper-mill.example', name: 'Nils', password: 'paper and ink, anew' };

/** What is in which folder; the rest is in none. */
const folders: Record<Language, Record<string, readonly string[]>> = {
  en: {
    Making: ['slow-software', 'small-instruments', 'dougubako'],
    'Print and paper': ['paper-mill', 'kami-to-hangi'],
    Home: ['field-and-kettle', 'garden-changelog', 'daidokoro-no-rika'],
  },
  ja: {
    つくる: ['dougubako', 'slow-software', 'small-instruments'],
    紙と印刷: ['kami-to-hangi', 'paper-mill'],
    暮らし: ['daidokoro-no-rika', 'saka-no-toshoshitsu', 'garden-changelog', 'field-and-kettle'],
  },
};
const loose: Record<Language, readonly string[]> = {
  en: ['harbour-notes', 'sleeper-car', 'saka-no-toshoshitsu', 'nagi-no-kishocho', 'yako-no-mado'],
  ja: ['nagi-no-kishocho', 'yako-no-mado', 'harbour-notes', 'sleeper-car'],
};
const failing = 'lighthouse-weekly';
const gone = 'karasudo';

export class Stage {
  /** The time of the pictures. */
  readonly now: number;
  readonly subscriptions = new Map<string, Subscription>();
  /** Who has signed in before stays signed in: the cookies of each. */
  readonly #cookies = new Map<Who, Awaited<ReturnType<BrowserContext['cookies']>>>();
  items: Item[] = [];

  private constructor(
    readonly language: Language,
    readonly desk: Desk,
    readonly sites: Sites,
    readonly folder: string,
  ) {
    this.now = sites.now;
  }

  /** A desk that nobody has an account at yet. */
  static async open(language: Language): Promise<Stage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'kawaraban-screenshots-'));
    const sites = await Sites.open(Date.now());
    const desk = await Desk.start('sqlite', {
      KAWARABAN_DATA_DIR: folder,
      LOG_LEVEL: 'info',
      FETCH_ALLOW_NETS: '127.0.0.0/8',
      FETCH_INTERVAL: '1s',
      FETCH_HOST_GAP: '0s',
      FETCH_HOST_CONCURRENCY: '10',
      RATE_LIMIT_GENERAL: '1000000',
      RATE_LIMIT_FEED_REG: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      HATEBU_ENABLED: 'true',
      HATEBU_API_URL: sites.origin.url,
      HATEBU_API_INTERVAL: '0s',
      HATEBU_BATCH_INTERVAL: '5s',
      // Never asked in these pictures: it is there to be offered.
      OIDC_ISSUER: sites.origin.url,
      OIDC_CLIENT_ID: 'kawaraban',
      OIDC_CLIENT_SECRET: 'never used in a picture',
      OIDC_NAME: 'Harbour ID',
      LOCAL_ACCOUNTS: 'true',
    });
    return new Stage(language, desk, sites, folder);
  }

  async close(): Promise<void> {
    await this.desk.stop();
    await this.sites.origin.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Makes the accounts, subscribes, reads a part of it, and waits until all has been counted. */
  async fill(browser: Browser): Promise<void> {
    await addUser(this.desk, people[this.language], true);
    await addUser(this.desk, newcomer);
    const reader = await this.visit(browser, 'owner', {});
    await this.#signInElsewhere(browser);
    for (const [name, keys] of Object.entries(folders[this.language])) {
      const folder = await reader.addFolder(name);
      for (const key of keys) this.subscriptions.set(key, await reader.subscribe(this.sites.of(key), folder));
    }
    for (const key of [...loose[this.language], failing, gone]) {
      this.subscriptions.set(key, await reader.subscribe(this.sites.of(key)));
    }
    this.sites.of(failing).fail(503);
    this.sites.of(gone).fail(410);
    await expect
      .poll(async () => (await reader.items()).every((item) => item.hatebu_fetched_at !== null), { timeout: 60_000 })
      .toBe(true);
    this.items = await reader.items();
    await this.#read(reader);
    await this.#fail(reader);
    this.#remember();
    this.#giveUp();
    await reader.demand('/api/users/me/tokens', 'POST', {
      name: this.language === 'ja' ? '台所の端末' : 'Kitchen tablet',
      scope: 'read',
    });
    await reader.context.close();
  }

  /** The item with these words in its title. */
  item(words: string): Item {
    const found = this.items.find(({ title }) => title.includes(words));
    if (!found) throw new Error(`no item is called ${words}`);
    return found;
  }

  /** A browser of somebody. */
  async visit(browser: Browser, who: Who, options: BrowserContextOptions): Promise<Reader> {
    const context = await browser.newContext({
      locale: this.language === 'ja' ? 'ja-JP' : 'en-GB',
      timezoneId: 'Asia/Tokyo',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(this.now);
    await this.sites.name(context);
    const account = who === 'newcomer' ? newcomer : people[this.language];
    const reader = new Reader({ context, page, watch: new Watch(context) }, this.desk, account);
    if (who === 'nobody') return reader;
    const cookies = this.#cookies.get(who);
    if (cookies) await context.addCookies(cookies);
    else await reader.signIn();
    this.#cookies.set(who, await context.cookies());
    return reader;
  }

  /** The same person has a phone. */
  async #signInElsewhere(browser: Browser): Promise<void> {
    const context = await browser.newContext({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    });
    const { email, password } = people[this.language];
    const data = { email, password };
    await context.request.post(`${this.desk.url}/auth/local/login`, { data, headers: { origin: this.desk.url } });
    await context.close();
  }

  /** What is older than a day has been read, but for some; a few have stars. */
  async #read(reader: Reader): Promise<void> {
    const starred = ['Nine hours', 'station clocks', '三年動かして', '駅弁', 'promise you make', '見当という'];
    for (const [at, item] of this.items.entries()) {
      const age = this.now - Date.parse(item.published_at);
      const is_read = age > 36 * 3_600_000 ? at % 7 !== 0 : at % 5 === 3;
      const is_starred = starred.some((words) => item.title.includes(words));
      if (is_read || is_starred) await reader.demand(`/api/items/${item.id}/state`, 'PUT', { is_read, is_starred });
    }
  }

  /** Two feeds in trouble: the server lets a feed be asked for once a minute, so their time is brought forward. */
  async #fail(reader: Reader): Promise<void> {
    const names = [failing, gone].map((key) => `'${this.sites.of(key).url}'`).join();
    this.write(`update feeds set next_fetch_at = '2020-01-01T00:00:00.000+00:00' where feed_url in (${names})`);
    await expect
      .poll(async () => (await reader.subscriptions()).map(({ feed_status }) => feed_status).sort(), {
        timeout: 60_000,
      })
      .toEqual(expect.arrayContaining(['error', 'stopped']));
  }

  /** A month of fetching, as a small desk has it: quieter at night, slow on one day, out of order for an evening. */
  #remember(): void {
    const rows: string[] = [];
    for (let back = 0; back < 24 * 30; back += 1) {
      const at = new Date(Math.floor(this.now / 3_600_000) * 3_600_000 - back * 3_600_000);
      const wave = Math.sin(((at.getUTCHours() + 9) / 24) * 2 * Math.PI - 2);
      const noise = (back * 7919) % 11;
      const isOut = back >= 9 && back <= 11;
      const fetches = Math.round((26 + 5 * wave + (noise % 5)) * (back === 0 ? 0.4 : 1));
      const failures = isOut ? 11 + (noise % 4) : noise === 3 && back % 5 === 0 ? 2 : 0;
      const newItems = isOut ? 1 : Math.max(0, Math.round(5 + 4 * wave + (noise % 4) - 1));
      const average = Math.round((isOut ? 1900 : 210) + 40 * wave + noise * 6 + (back >= 120 && back < 144 ? 260 : 0));
      const slowest = Math.round(average * (2.2 + noise / 8));
      rows.push(
        `('${at.toISOString().replace('.000Z', '+00:00')}',${fetches},${failures},${fetches - failures - Math.min(newItems, 6)},${newItems},${average * fetches},${slowest})`,
      );
    }
    this.write(
      `insert or ignore into fetch_hours (hour, fetches, failures, unchanged, new_items, latency_ms_total, latency_ms_max) values ${rows.join()}`,
    );
  }

  /** A piece of background work that nothing came of. */
  #giveUp(): void {
    this.write(
      `update jobs set status = 'failed', attempts = max_attempts, last_error = 'no answer within 10 s'
       where id in (select id from jobs where kind = 'count_bookmarks' and status = 'succeeded' limit 1)`,
    );
  }

  /** Writes into the database beside the program. Python has SQLite with it; Node does not before 22. */
  write(sql: string): void {
    const script =
      'import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=30); db.execute(sys.stdin.read()); db.commit()';
    execFileSync('python3', ['-c', script, path.join(this.folder, 'kawaraban.db')], { input: sql });
  }
}
