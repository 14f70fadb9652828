// The invented sites, put up on loopback; and the names that people see instead of ports.

import type { BrowserContext, Route } from '@playwright/test';
import type { Feed } from '../support/feed.ts';
import { Origin } from '../support/origin.ts';
import { feeds } from './feeds/all.ts';
import { siteOf } from './feeds/feed.ts';
import { PICTURES } from './feeds/long-reads.ts';
import { icons, pictures } from './pictures.ts';

/** Times as the API writes them. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

export class Sites {
  readonly #feeds = new Map<string, Feed>();
  readonly #names: [inside: string, outside: string][] = [];

  private constructor(
    readonly origin: Origin,
    /** The time of the pictures. */
    readonly now: number,
  ) {}

  static async open(now: number): Promise<Sites> {
    const sites = new Sites(await Origin.listen(), now);
    for (const { key } of feeds) sites.#found(key);
    sites.#count();
    sites.#offer();
    return sites;
  }

  of(key: string): Feed {
    const feed = this.#feeds.get(key);
    if (!feed) throw new Error(`there is no feed ${key}`);
    return feed;
  }

  /** Gives the pages of a browser the names of sites instead of their ports, and pictures without a network. */
  async name(context: BrowserContext): Promise<void> {
    await context.route(/\/api\/(?!events)/, (route) => this.#rename(route));
    await context.route(`${PICTURES}/**`, (route) => {
      const body = pictures[new URL(route.request().url()).pathname.slice(1)];
      return body ? route.fulfill({ contentType: 'image/svg+xml', body }) : route.abort();
    });
  }

  #found(key: string): void {
    const written = feeds.find((feed) => feed.key === key);
    if (!written) return;
    const feed = this.origin.feed({ title: written.title, language: written.language, items: 0 });
    feed.entries = written.entries.map(({ title, html, ago, author = '', categories = [] }) => ({
      title,
      html,
      author,
      categories,
      at: ago === undefined ? null : new Date(this.now - ago * 60_000),
    }));
    const path = new URL(feed.site).pathname;
    const link = `<link rel="alternate" type="${feed.mediaType}" title="${feed.title}" href="feed.xml">`;
    const icon = icons[key];
    if (icon) this.origin.file(`${path}icon.svg`, 'image/svg+xml', icon);
    this.origin.file(
      path,
      'text/html; charset=utf-8',
      `<!doctype html><title>${feed.title}</title>${icon ? '<link rel="icon" href="icon.svg">' : ''}${link}`,
    );
    this.#feeds.set(key, feed);
    this.#names.push([feed.site, `${siteOf(key)}/`]);
  }

  /** What Hatena says, about everything at once. */
  #count(): void {
    const counts = feeds.flatMap(({ key, entries }) => {
      const links = [
        ...this.of(key)
          .write()
          .matchAll(/<item>.*?<link>(.*?)<\/link>/gs),
      ].map(([, link]) => link);
      return entries.map(({ bookmarks = 0 }, at) => [links[at], bookmarks]);
    });
    this.origin.file('/count/entries', 'application/json', JSON.stringify(Object.fromEntries(counts)));
  }

  /** The site of the feed that is to be added offers more than one. */
  #offer(): void {
    const { site } = this.of('tides');
    const path = new URL(site).pathname;
    const link = (title: string, file: string, type: string) =>
      `<link rel="alternate" type="application/${type}" title="${title}" href="${site}${file}">`;
    const links = [
      link('Tide Tables and Other Fictions', 'feed.xml', 'rss+xml'),
      link('Moon phases', 'moon.atom', 'atom+xml'),
      link('Letters to the pier', 'letters.json', 'feed+json'),
    ];
    this.origin.file(path, 'text/html; charset=utf-8', `<!doctype html><title>Tides</title>${links.join('')}`);
    this.origin.file(
      `${path}nothing`,
      'text/html; charset=utf-8',
      '<!doctype html><title>Nothing</title><p>No feed here.',
    );
  }

  async #rename(route: Route): Promise<void> {
    const request = route.request();
    const asked = request.postData();
    const response = await route.fetch(asked === null ? {} : { postData: this.#inside(asked) });
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json')) return route.fulfill({ response });
    return route.fulfill({ response, body: this.#outside(await response.text()).replace(TIMES, this.#past) });
  }

  /** The program's clock runs on while the pictures' clock stands: what has happened since then happens then. */
  #past = (time: string): string => {
    const ahead = Date.parse(time) - this.now;
    return ahead > 0 && ahead < 25 * 60_000 ? new Date(this.now).toISOString() : time;
  };

  #inside(text: string): string {
    return this.#names.reduce((so, [inside, outside]) => so.replaceAll(outside, inside), text);
  }

  #outside(text: string): string {
    return this.#names.reduce((so, [inside, outside]) => so.replaceAll(inside, outside), text);
  }
}
