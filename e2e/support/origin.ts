// The web, as far as a story needs it: sites with feeds, on loopback. Each story has an origin of its own, and so feeds of its own.

import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Feed, type FeedOptions } from './feed.ts';
import { ico, png } from './icons.ts';

/** What a server sends back. */
export type Answer = { status?: number; type: string; body: string | Buffer };

export class Origin {
  readonly url: string;
  /** The path of everything that was asked for, in order. */
  readonly requests: string[] = [];
  readonly #server: http.Server;
  readonly #places = new Map<string, () => Answer | Promise<Answer>>();
  #feeds = 0;
  /** Ports are used again, and the desk remembers feeds by their address. */
  readonly #mark = randomBytes(4).toString('hex');

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async listen(): Promise<Origin> {
    const server = http.createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Origin(server);
  }

  /** Founds a site with a feed. It answers compressed, with an ETag, and says when nothing has changed. */
  feed(options: FeedOptions): Feed {
    this.#feeds += 1;
    const site = `/sites/${this.#mark}-${this.#feeds}/`;
    const feed = new Feed(`${this.url}${site}feed.xml`, `${this.url}${site}`, options);
    this.#places.set(`${site}feed.xml`, async () => {
      await feed.whenFree;
      if (feed.health.kind === 'fails') return { status: feed.health.status, type: 'text/plain', body: 'no' };
      if (feed.health.kind === 'nonsense') return html('Nothing to see here', '');
      return { type: feed.mediaType, body: feed.write() };
    });
    const colour = [181, 50, (this.#feeds * 53) % 256] as const;
    if (options.icon === 'png') this.file(`${site}icon.png`, 'image/png', png(...colour));
    if (options.icon === 'ico') this.file(`${site}icon.ico`, 'image/x-icon', ico(...colour));
    const icon = options.icon ? `<link rel="icon" href="icon.${options.icon}">` : '';
    this.#places.set(site, () => html(feed.title, icon + linkTo(feed)));
    return feed;
  }

  /** Puts up a page that offers these feeds, and hands back its address. */
  page(path: string, feeds: readonly Feed[]): string {
    return this.place(path, () => html(path, feeds.map(linkTo).join('')));
  }

  /** Puts up something that decides anew each time. */
  place(path: string, answer: () => Answer | Promise<Answer>): string {
    this.#places.set(path, answer);
    return `${this.url}${path}`;
  }

  /** Puts up whatever else is wanted. */
  file(path: string, type: string, body: string | Buffer, status = 200): string {
    return this.place(path, () => ({ status, type, body }));
  }

  /** How often this was asked for. */
  countOf(address: string): number {
    const path = new URL(address).pathname;
    return this.requests.filter((asked) => asked === path).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.requests.push(pathname);
    const place = this.#places.get(pathname) ?? this.#articleAt(pathname);
    const { status = 200, type, body } = (await place?.()) ?? { status: 404, type: 'text/plain', body: 'nothing here' };
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    if (status === 200 && request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag }).end();
      return;
    }
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const headers = { 'content-type': type, ...(status === 200 ? { etag } : {}) };
    response.writeHead(status, isZipped ? { ...headers, 'content-encoding': 'gzip' } : headers);
    response.end(isZipped ? gzipSync(body) : body);
  }

  /** What the entries of a feed link to. */
  #articleAt(path: string): (() => Answer) | undefined {
    return /^\/sites\/[0-9a-f]{8}-\d+\/[0-9a-f]{12}$/.test(path) ? () => html('An article', '') : undefined;
  }
}

function html(title: string, head: string): Answer {
  const page = `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><p>${title}</body></html>`;
  return { type: 'text/html; charset=utf-8', body: page };
}

function linkTo(feed: Feed): string {
  return `<link rel="alternate" type="${feed.mediaType}" title="${feed.title}" href="${feed.url}">`;
}
