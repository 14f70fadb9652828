// What a story about OpenID gets: a browser of its own, and the program with its provider, shared by all on one database.

import type { Browser, BrowserContext, Page } from '@playwright/test';
import { Desk } from './desk.ts';
import { test as base, expect } from './options.ts';
import { CLIENTS, OpenIdProvider, openIdSettings, type ProviderName } from './provider.ts';

export { expect };

type Shared = { provider: OpenIdProvider; desk: Desk; secrets: Set<string> };

type Own = { visitor: Visitor; anotherVisitor: Visitor };

/** An answer of the API. */
export type Answer = { status: number; body: any };

/** A person with a browser. */
export class Visitor {
  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly desk: Desk,
    readonly provider: OpenIdProvider,
  ) {}

  /** Goes to sign in, up to the provider's own page. */
  async knock(provider: ProviderName = 'oidc', returnTo = '/here'): Promise<void> {
    await this.page.goto(`${this.desk.url}/auth/${provider}/login?return_to=${encodeURIComponent(returnTo)}`);
  }

  /** Fills in the provider's pages. */
  async signInThere(login: string): Promise<void> {
    await this.page.locator('input[name=login]').fill(login);
    await this.page.locator('input[name=password]').fill('any will do');
    await this.page.getByRole('button', { name: 'Sign-in' }).click();
    await this.page.getByRole('button', { name: 'Continue' }).click();
  }

  /** The whole way. */
  async signIn(login: string, provider: ProviderName = 'oidc', returnTo = '/here'): Promise<void> {
    await this.knock(provider, returnTo);
    await this.signInThere(login);
    await this.page.waitForURL(`${this.desk.url}/**`);
  }

  /** Asks the API as a page of ours would. */
  async ask(path: string, method = 'GET', body?: unknown): Promise<Answer> {
    return this.page.evaluate(
      async ({ path, method, body }) => {
        const init =
          body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        const response = await fetch(path, { method, ...init });
        const text = await response.text();
        return { status: response.status, body: text ? JSON.parse(text) : null };
      },
      { path, method, body },
    );
  }

  /** Goes to some page of ours, from which the API can be asked. */
  async goHome(): Promise<void> {
    await this.page.goto(`${this.desk.url}/auth/providers`);
  }

  /** Who we think it is; null for nobody. */
  async whoAmI(): Promise<any> {
    const { status, body } = await this.ask('/api/users/me');
    expect([200, 401]).toContain(status);
    return status === 200 ? body : null;
  }

  /** Forgets who the person is at the provider. */
  async signOutThere(): Promise<void> {
    await this.context.clearCookies({ domain: '127.0.0.1' });
  }

  async sessionCookie() {
    const cookies = await this.context.cookies(this.desk.url);
    return cookies.find((cookie) => cookie.name === 'kawaraban_session');
  }

  /** Signs in at the provider, and keeps the address that leads back instead of going there. */
  async signInThereAndStay(login: string): Promise<string> {
    const held = this.provider.holdNext();
    await this.signInThere(login);
    const callback = await held;
    await expect(this.page.locator('body')).toHaveText('held');
    return callback;
  }
}

let address = 0;

export const test = base.extend<Own, Shared>({
  secrets: [
    async ({}, use) => use(new Set(Object.values(CLIENTS).map((client) => client.secret))),
    { scope: 'worker' },
  ],

  provider: [
    async ({}, use) => {
      const provider = await OpenIdProvider.listen();
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],

  desk: [
    async ({ database, provider, secrets }, use) => {
      const desk = await Desk.start(database, {
        ...openIdSettings(provider.issuer),
        SIGNUP_ALLOWED: 'news.test, guest@elsewhere.test',
        OWNER_EMAIL: 'Owner@news.test',
        // Each visitor below comes from an address of their own, so that they do not use up each other's attempts.
        TRUSTED_PROXIES: '127.0.0.0/8',
      });
      provider.serve(desk.url);
      await use(desk);
      expect(await desk.stop(), desk.log).toBe(0);
      for (const secret of secrets) expect(desk.log.includes(secret), 'a secret is in the log').toBe(false);
    },
    { scope: 'worker' },
  ],

  visitor: async ({ browser, provider, desk, secrets }, use) => visit(browser, { provider, desk, secrets }, use),
  anotherVisitor: async ({ browser, provider, desk, secrets }, use) => visit(browser, { provider, desk, secrets }, use),
});

async function visit(browser: Browser, shared: Shared, use: (visitor: Visitor) => Promise<void>) {
  const { provider, desk, secrets } = shared;
  address += 1;
  const context: BrowserContext = await browser.newContext({
    extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${address}` },
  });
  // What must never be in a log: what the browser holds, and what it carries to and fro.
  context.on('request', (request) => {
    for (const name of ['code', 'state', 'nonce']) {
      const value = new URL(request.url()).searchParams.get(name);
      if (value) secrets.add(value);
    }
  });
  const visitor = new Visitor(context, await context.newPage(), desk, provider);
  await use(visitor);
  for (const cookie of await context.cookies(desk.url)) secrets.add(cookie.value);
  await context.close();
}
