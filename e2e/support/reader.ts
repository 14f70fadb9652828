// Somebody who reads: an account, a browser that is signed in with it, and short ways to do what a story is not about.

import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import type { components } from '../../ui/src/shared/api/schema.ts';
import type { Desk } from './desk.ts';
import type { Feed } from './feed.ts';
import type { Watch } from './watch.ts';

type Schema = components['schemas'];
export type Subscription = Schema['SubscriptionView'];
export type Folder = Schema['FolderView'];
export type Item = Schema['ItemView'];

export type Account = { email: string; name: string; password: string };

/** An answer of the API. */
export type Answer<T = any> = { status: number; body: T };

export class Reader {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly desk: Desk;
  readonly account: Account;
  /** What the browser complains about; `watch.expect(/…/)` says what belongs to the story. */
  readonly watch: Watch;

  constructor(browser: { context: BrowserContext; page: Page; watch: Watch }, desk: Desk, account: Account) {
    this.context = browser.context;
    this.page = browser.page;
    this.watch = browser.watch;
    this.desk = desk;
    this.account = account;
  }

  /** Goes to a page of the desk. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.desk.url}${path}`);
  }

  /** Waits until the service worker answers for this page: it has kept all parts of the pages, and they open without a server. */
  async readyOffline(): Promise<void> {
    // `ready` is not enough: the worker is active some time before it takes over the page.
    await this.page.evaluate(async () => {
      const { serviceWorker } = navigator;
      if (serviceWorker.controller) return;
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    });
  }

  /** Asks the API as this person, beside the page. */
  async ask<T = any>(path: string, method = 'GET', data?: unknown): Promise<Answer<T>> {
    const response = await this.context.request.fetch(`${this.desk.url}${path}`, {
      method,
      data,
      headers: { origin: this.desk.url },
    });
    const text = await response.text();
    const isJson = response.headers()['content-type']?.includes('json');
    return { status: response.status(), body: isJson && text ? JSON.parse(text) : text };
  }

  /** Asks the API for something that has to work. */
  async demand<T = any>(path: string, method = 'GET', data?: unknown): Promise<T> {
    const { status, body } = await this.ask<T>(path, method, data);
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  /** Signs the browser in. */
  signIn(): Promise<void> {
    const { email, password } = this.account;
    return this.demand('/auth/local/login', 'POST', { email, password });
  }

  /** Subscribes, without the dialog; its items are there afterwards. */
  async subscribe(feed: Feed | string, folder: Folder | null = null): Promise<Subscription> {
    const url = typeof feed === 'string' ? feed : feed.url;
    const { subscription_id } = await this.demand<Schema['FeedView']>('/api/feeds', 'POST', {
      url,
      folder_id: folder?.id,
    });
    return this.demand(`/api/subscriptions/${subscription_id}`);
  }

  subscriptions(): Promise<Subscription[]> {
    return this.demand('/api/subscriptions');
  }

  addFolder(name: string): Promise<Folder> {
    return this.demand('/api/folders', 'POST', { name });
  }

  folders(): Promise<Folder[]> {
    return this.demand('/api/folders');
  }

  /** Has the feed fetched now. The server does that once a minute for each feed, no more. */
  async refresh(subscription: Subscription): Promise<void> {
    await this.demand(`/api/feeds/${subscription.feed_id}/refresh`, 'POST');
  }

  /** The first fifty items, or those with a star, or those unread. */
  async items(filter: 'all' | 'unread' | 'starred' = 'all'): Promise<Item[]> {
    return (await this.demand<Schema['ItemsView']>(`/api/items?filter=${filter}`)).items;
  }

  /** Sets how pages look, for this account; see ui/src/shared/preferences. */
  async prefer({ theme = 'light', language = null, density = 'comfortable', ...own }: Look): Promise<void> {
    await this.demand('/api/users/me/settings', 'PUT', {
      theme,
      language,
      density,
      bookmark_counts: null,
      bookmark_counts_default: null,
      preferences: own,
    });
  }

  /** The rows of the list that are in the page; the one that is open among them. */
  get rows(): Locator {
    return this.page.locator('[data-item]');
  }

  /** The row of the item with this title, open or not. */
  row(title: string): Locator {
    return this.rows.filter({ hasText: title });
  }

  /** The left pane. */
  get sidebar(): Locator {
    return this.page.getByRole('navigation').filter({ has: this.page.getByRole('heading') });
  }

  /** The row of a feed or a folder in the left pane, without what is in the folder. */
  place(name: string): Locator {
    return this.page.locator('.group\\/row').filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  /** What is said for a moment at the edge of the page. */
  toast(words: string | RegExp): Locator {
    return this.page.locator('section[popover] > div').filter({ hasText: words });
  }
}

export type Look = {
  theme?: 'light' | 'dark' | 'system';
  language?: 'ja' | 'en' | null;
  density?: 'comfortable' | 'compact';
  readingFont?: 'sans' | 'serif';
  readingSize?: number;
  shortcuts?: boolean;
};
