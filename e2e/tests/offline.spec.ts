// Reading on a train. The server is really down: a browser that only pretends to be offline would let the worker through.

import type { Page } from '@playwright/test';
import type { Desk } from '../support/desk.ts';
import type { Reader } from '../support/reader.ts';
import { expect, test as story } from '../support/story.ts';

const NOBODY_ANSWERS =
  /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_FAILED/;

type Settled = { desk: Desk; reader: Reader };

/** `settle`: somebody has a list of three open, and it is kept, with so many of its texts. */
const test = story.extend<{ settle: (texts?: number) => Promise<Settled> }>({
  settle: ({ startDesk, arrive, origin }, use) =>
    use(async (texts = 0) => {
      const desk = await startDesk();
      const reader = await arrive({ desk, isOwner: true });
      await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 3 }));
      await reader.open('/');
      await expect(reader.rows).toHaveCount(3);
      await isKept(reader, texts);
      return { desk, reader };
    }),
});

/** The worker has kept the pages, and the page has kept so many texts. */
async function isKept(reader: Reader, texts: number): Promise<void> {
  await reader.readyOffline();
  await expect.poll(() => countOf(reader.page, 'facts')).toBe(4);
  await expect.poll(() => countOf(reader.page, 'texts')).toBeGreaterThanOrEqual(texts);
}

/** How many records are kept of whoever is here; of nobody, none. */
function countOf(page: Page, store: 'items' | 'texts' | 'facts' | 'changes'): Promise<number> {
  return page.evaluate(async (store) => {
    const all = await indexedDB.databases();
    const name = all.map((one) => one.name ?? '').find((one) => one.startsWith('kawaraban.'));
    if (!name) return 0;
    return new Promise<number>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => {
        const count = request.result.transaction(store).objectStore(store).count();
        count.onsuccess = () => {
          request.result.close();
          resolve(count.result);
        };
      };
    });
  }, store);
}

const notice = (page: Page) => page.getByRole('status').filter({ hasText: /Can’t reach the server|You’re offline/ });

async function stateOf(reader: Reader, title: string) {
  const item = (await reader.items()).find((one) => one.title === title);
  return { isRead: item?.is_read, isStarred: item?.is_starred };
}

async function halted(desk: Desk, reader: Reader): Promise<void> {
  reader.watch.expect(NOBODY_ANSWERS);
  await desk.halt();
}

test('lists and articles are there without a connection; what is done is kept and sent later', async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const reader = await arrive({ desk, isOwner: true });
  const feed = origin.feed({ title: 'Edo Gazette', items: 60 });
  await reader.subscribe(feed);
  const [first, second, third] = (await reader.items()).map((item) => item.title) as [string, string, string];
  await reader.open('/');
  await reader.row(first).click();
  await expect(reader.page.locator('.article-text')).not.toBeEmpty();
  const text = await reader.page.locator('.article-text').innerText();
  await isKept(reader, 1);
  // That it is read has arrived.
  await expect.poll(async () => (await reader.items('unread')).map(({ title }) => title)).not.toContain(first);
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(0);
  await reader.page.keyboard.press('Escape');

  await halted(desk, reader);
  await reader.page.reload();
  await expect(notice(reader.page)).toBeVisible();
  await expect(reader.place('Edo Gazette')).toBeVisible();
  await reader.row(first).click();
  await expect(reader.page.locator('.article-text')).toHaveText(text, { useInnerText: true });
  await reader.page.keyboard.press('Escape');
  await reader.row(second).getByRole('button', { name: 'Star' }).click();
  await reader.row(third).getByRole('button', { name: 'Mark as read' }).click();
  await expect(notice(reader.page)).toContainText('2 changes waiting to be sent');

  // The browser is closed and opened again.
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(2);
  await reader.page.close();
  const page = await reader.context.newPage();
  await page.goto(`${desk.url}/?filter=starred`);
  const rows = page.locator('[data-item]');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(second);
  await page.goto(`${desk.url}/?filter=unread`);
  await expect(rows.first()).toBeVisible();
  await expect(rows.filter({ hasText: third })).toHaveCount(0);
  await expect(notice(page)).toContainText('2 changes waiting to be sent');

  await desk.wake();
  await expect.poll(() => stateOf(reader, second)).toEqual({ isRead: false, isStarred: true });
  await expect.poll(() => stateOf(reader, third)).toEqual({ isRead: true, isStarred: false });
  await expect(notice(page)).toBeHidden();
  await expect.poll(() => countOf(page, 'changes')).toBe(0);
});

test('what was done is sent though the page is closed by then', async ({ settle }) => {
  const { desk, reader } = await settle();
  const [first] = (await reader.items()).map((item) => item.title) as [string];
  const { id } = await reader.demand('/api/users/me');
  // Beside it a page of nobody's, from which the browser is asked to do what it does by itself when it has a connection again.
  const beside = await reader.context.newPage();
  const browser = await reader.context.newCDPSession(beside);
  const worker = new Promise<string>((found) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(desk.url));
      if (ours) found(ours.registrationId);
    }),
  );
  await browser.send('ServiceWorker.enable');
  const registrationId = await worker;

  await halted(desk, reader);
  await reader.row(first).getByRole('button', { name: 'Star' }).click();
  await expect(notice(reader.page)).toContainText('1 change waiting to be sent');
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(1);
  await reader.page.close();
  await desk.wake();
  expect(await stateOf(reader, first)).toEqual({ isRead: false, isStarred: false });
  await browser.send('ServiceWorker.dispatchSyncEvent', {
    origin: desk.url,
    registrationId,
    tag: `changes ${id}`,
    lastChance: false,
  });
  await expect.poll(() => stateOf(reader, first)).toEqual({ isRead: false, isStarred: true });
});

test('the next articles are there though nobody has opened them', async ({ settle }) => {
  const { desk, reader } = await settle(3);
  await halted(desk, reader);
  await reader.page.reload();
  for (const at of [0, 1, 2]) {
    await reader.rows.nth(at).click();
    await expect(reader.page.locator('.article-text')).not.toBeEmpty();
  }
  await expect(notice(reader.page)).toContainText('3 changes waiting to be sent');
  await desk.wake();
  await expect.poll(async () => (await reader.items('unread')).length).toBe(0);
});

test('everything is marked as read without a connection, or not if one thinks again', async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const reader = await arrive({ desk, isOwner: true });
  const [gazette, courier] = [
    origin.feed({ title: 'Edo Gazette', items: 6 }),
    origin.feed({ title: 'Tea Courier', items: 4 }),
  ];
  await reader.subscribe(gazette);
  await reader.subscribe(courier);
  await reader.open('/?filter=unread');
  await expect(reader.rows).toHaveCount(10);
  await isKept(reader, 0);

  await halted(desk, reader);
  const markAll = reader.page.getByRole('button', { name: 'Mark all as read' });
  await markAll.click();
  await reader.toast('Marked as read on this device.').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(0);
  await expect(reader.place('Tea Courier')).toContainText('4');

  // A list that was never opened while there was a connection.
  await reader.page.getByRole('link', { name: 'Edo Gazette', exact: true }).click();
  await expect(reader.rows).toHaveCount(6);
  await markAll.click();
  await expect(notice(reader.page)).toContainText('1 change waiting to be sent');
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(1);
  await reader.page.goto(`${desk.url}/?filter=unread`);
  await expect(reader.rows).toHaveCount(4);
  await expect(reader.place('Edo Gazette')).not.toContainText('6');

  await desk.wake();
  await expect.poll(async () => (await reader.items('unread')).length).toBe(4);
  await expect(notice(reader.page)).toBeHidden();
  await expect(reader.place('Tea Courier')).toContainText('4');
});

test('what needs a connection says so', async ({ settle, origin }) => {
  const { desk, reader } = await settle();
  await halted(desk, reader);
  const { page } = reader;

  // Pages that were never looked at open all the same.
  await page.goto(`${desk.url}/search?q=clocks`);
  await expect(page.getByRole('alert')).toContainText('Can’t reach the server.');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.goto(`${desk.url}/?add=`);
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .first()
    .fill(origin.feed({ title: 'Tea Courier', items: 1 }).url);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Can’t reach the server.');
  await page.goto(`${desk.url}/settings/account`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(reader.toast('You need a connection to sign out.')).toBeVisible();
  await expect.poll(() => countOf(page, 'items')).toBe(3);

  // The browser knows by itself.
  reader.watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await reader.context.setOffline(true);
  await expect(notice(page)).toContainText('You’re offline.');
  await desk.wake();
  await reader.context.setOffline(false);
  await expect(notice(page)).toBeHidden();
});

test('nothing is left of whoever signs out', async ({ settle }) => {
  const { desk, reader } = await settle();
  await expect.poll(() => countOf(reader.page, 'items')).toBe(3);

  await reader.open('/settings/account');
  await reader.page.getByRole('button', { name: 'Sign out' }).click();
  await expect(reader.page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => traces(reader.page)).toEqual({ databases: 0, answers: [], isRemembered: false });

  await halted(desk, reader);
  await reader.page.goto(`${desk.url}/`);
  await expect(reader.page.getByText('Can’t reach the server.').first()).toBeVisible();
  await expect(reader.page.getByText('Edo Gazette')).toHaveCount(0);
  await desk.wake();
});

/** What a browser has of anybody: databases, and answers of the API in caches. */
function traces(page: Page) {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).filter(({ name }) => name?.startsWith('kawaraban.'));
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const cached = (await Promise.all(caches.map((cache) => cache.keys()))).flat();
    return {
      databases: databases.length,
      answers: cached.map(({ url }) => new URL(url).pathname).filter((path) => /^\/(api|auth)/.test(path)),
      isRemembered: localStorage.getItem('kawaraban.owner') !== null,
    };
  });
}

test('a change waits for the same person to sign in again', async ({ startDesk, arrive, origin }) => {
  const desk = await startDesk();
  const reader = await arrive({ desk, isOwner: true });
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 3 }));
  const title = (await reader.items())[1]?.title ?? '';
  const page = await starsInVain(reader, title);

  await signIn(page, reader);
  await expect(page.getByRole('button', { name: 'Remove star' })).toBeVisible();
  await expect.poll(() => countOf(page, 'changes')).toBe(0);
  await expect.poll(async () => (await reader.items('starred')).map((item) => item.title)).toEqual([title]);
});

test('two people with one browser: neither sees what the other read, nor sends it', async ({
  startDesk,
  arrive,
  origin,
}) => {
  const desk = await startDesk();
  const ann = await arrive({ desk, isOwner: true, name: 'Ann' });
  const ben = await arrive({ desk, isOwner: true, name: 'Ben' });
  const shared = origin.feed({ title: 'Edo Gazette', items: 3 });
  await ann.subscribe(shared);
  await ben.subscribe(shared);
  const title = (await ann.items())[1]?.title ?? '';
  const own = origin.feed({ title: 'Tea Courier', items: 0 });
  own.publish({ title: 'Leaves in March' });
  await ann.subscribe(own);
  const page = await starsInVain(ann, title);

  await signIn(page, ben);
  await expect(page.locator('[data-item]')).toHaveCount(3);
  await expect(page.getByText('Tea Courier')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove star' })).toHaveCount(0);
  await expect.poll(async () => (await traces(page)).databases).toBe(1);
  expect(await countOf(page, 'changes')).toBe(0);
  expect(await ben.items('starred')).toEqual([]);

  // Nor is anything of Ann there when nobody can be asked.
  await expect.poll(() => countOf(page, 'items')).toBe(3);
  await halted(desk, ann);
  await page.reload();
  await expect(page.locator('[data-item]')).toHaveCount(3);
  await expect(page.getByText('Tea Courier')).toHaveCount(0);
  await desk.wake();
});

/** Stars something while nobody answers; when somebody does again, the session has ended. Gives the page that asks to sign in. */
async function starsInVain(reader: Reader, title: string): Promise<Page> {
  const { desk, context } = reader;
  await reader.open('/');
  await expect(reader.row(title)).toBeVisible();
  await isKept(reader, 0);
  await halted(desk, reader);
  await reader.row(title).getByRole('button', { name: 'Star' }).click();
  await expect.poll(() => countOf(reader.page, 'changes')).toBe(1);
  await reader.page.close();
  await context.clearCookies();
  await desk.wake();
  reader.watch.expect(/status of 401/);
  const page = await context.newPage();
  await page.goto(`${desk.url}/`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => countOf(page, 'items')).toBe(0);
  expect(await countOf(page, 'changes')).toBe(1);
  return page;
}

async function signIn(page: Page, { account }: Reader): Promise<void> {
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
