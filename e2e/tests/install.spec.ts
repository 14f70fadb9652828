// Kawaraban as an app of the machine: that it can be installed, and that a new version comes without anybody noticing.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/story.ts';

type Icon = { src: string; sizes: string; type: string; purpose?: string };
type Manifest = {
  name: string;
  id: string;
  start_url: string;
  scope: string;
  display: string;
  icons: Icon[];
  shortcuts: { name: string; url: string; icons: Icon[] }[];
};

test('the browser offers to install it, with icons that are what they say', async ({ reader }) => {
  await reader.open('/');
  await reader.readyOffline();
  const devtools = await reader.context.newCDPSession(reader.page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  const { errors, data, url } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(url).toBe(`${reader.desk.url}/manifest.webmanifest`);
  const manifest: Manifest = JSON.parse(data ?? '');
  expect(manifest).toMatchObject({ name: 'Kawaraban', id: '/', start_url: '/', scope: '/', display: 'standalone' });
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  const touch = await reader.page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  const pictures = [...manifest.icons, { src: touch ?? '', sizes: '180x180' }];
  for (const { src, sizes } of pictures) {
    const size = await reader.page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') expect(size, src).toBe(sizes);
  }
});

test('its shortcuts lead where they say, and so does sharing an address with it', async ({ reader, origin }) => {
  await reader.subscribe(origin.feed({ title: 'Edo Gazette', items: 2 }));
  const answer = await reader.demand('/manifest.webmanifest');
  const manifest: Manifest = typeof answer === 'string' ? JSON.parse(answer) : answer;
  for (const { name, url } of manifest.shortcuts) {
    await reader.open(url);
    const place = reader.page.getByRole('heading', { level: 1, name });
    await expect(name === 'Add feed' ? reader.page.getByRole('dialog') : place).toBeVisible();
  }
  const shared = origin.feed({ title: 'Tea Courier', items: 2 });
  await reader.open(`/?add=${encodeURIComponent(shared.url)}`);
  await expect(reader.place('Tea Courier')).toBeVisible();
});

test('a new version takes over; pages of the old one go on until one goes somewhere else', async ({
  keep,
  startDesk,
  arrive,
}) => {
  const desk = await startDesk();
  const front = keep(await Front.listen(new URL(desk.url).port));
  desk.url = `http://localhost:${front.port}`;
  const reader = await arrive({ desk, isOwner: true });
  const { page } = reader;
  await reader.open('/settings/appearance');
  await reader.readyOffline();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  const [before] = await versions(page);

  front.isNew = true;
  // As the browser does by itself whenever somebody comes.
  await page.evaluate(async () => {
    const changed = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
    await (await navigator.serviceWorker.ready).update();
    await changed;
  });
  // The last version is still there for the pages of it: this part was never loaded, and the server has it no more.
  expect(await versions(page)).toEqual([before, expect.not.stringContaining(before ?? '-')]);
  expect(await page.locator('meta[name=version]').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
  expect(front.gone).toBe(0);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Starred' }).click();
  await expect(page.locator('meta[name=version]')).toHaveAttribute('content', 'new');
  await expect(page.getByRole('heading', { level: 1, name: 'Starred' })).toBeVisible();
});

/** The versions that are kept, the oldest first. */
const versions = (page: Page) => page.evaluate(() => caches.keys());

/** The part that only the old version has. */
const OLD_PART = /,?\/assets\/command-palette-[^,`"']+\.js/;

/** Stands before a desk and, when it is told so, makes it look like a newer one. */
class Front {
  isNew = false;
  /** How often something was asked for that only the old one had. */
  gone = 0;
  readonly port: number;
  readonly #server: http.Server;
  readonly #desk: string;

  private constructor(server: http.Server, desk: string) {
    this.#server = server;
    this.#desk = desk;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => this.#hand(request, response));
  }

  static async listen(desk: string): Promise<Front> {
    const server = http.createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Front(server, desk);
  }

  #hand(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method, url = '/' } = request;
    if (this.isNew && OLD_PART.test(url)) {
      this.gone += 1;
      response.writeHead(404).end();
      return;
    }
    const headers = { ...request.headers, 'accept-encoding': 'identity', 'if-none-match': '' };
    const onward = http.request({ host: '127.0.0.1', port: this.#desk, method, path: url, headers }, (answer) => {
      const isPage = answer.headers['content-type']?.includes('html');
      if (!this.isNew || !(isPage || url === '/sw.js')) {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const { 'content-length': _, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, kept);
        response.end(isPage ? body.replace('<head>', '<head><meta name="version" content="new">') : newer(body));
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** The worker of another version: with another mark, and without a part that there is no more. */
function newer(worker: string): string {
  const mark = /`[0-9a-f]{16}`/;
  expect(worker).toMatch(mark);
  expect(worker).toMatch(OLD_PART);
  return worker.replaceAll(new RegExp(mark, 'g'), '`ffffffffffffffff`').replaceAll(new RegExp(OLD_PART, 'g'), '');
}
