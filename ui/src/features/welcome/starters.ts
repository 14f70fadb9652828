import type { welcome } from '@/shared/i18n/en/welcome';
import type { Language } from '@/shared/preferences/preferences';

export type Topic = keyof (typeof welcome)['topics'];

export type Starter = {
  title: string;
  /** Where the feed is. */
  url: string;
  /** The site, for people to recognise. */
  site: string;
  language: Language;
  topic: Topic;
};

/** Feeds to begin with: public, and around for many years. The order here is the order on the page. */
export const starters: readonly Starter[] = [
  {
    topic: 'news',
    language: 'en',
    title: 'BBC News: World',
    site: 'bbc.co.uk',
    url: 'https://feeds.bbci.co.uk/news/world/rss.xml',
  },
  { topic: 'news', language: 'en', title: 'NPR News', site: 'npr.org', url: 'https://feeds.npr.org/1001/rss.xml' },
  {
    topic: 'news',
    language: 'en',
    title: 'The Guardian: World',
    site: 'theguardian.com',
    url: 'https://www.theguardian.com/world/rss',
  },
  {
    topic: 'technology',
    language: 'en',
    title: 'Ars Technica',
    site: 'arstechnica.com',
    url: 'https://feeds.arstechnica.com/arstechnica/index',
  },
  {
    topic: 'technology',
    language: 'en',
    title: 'Hacker News',
    site: 'news.ycombinator.com',
    url: 'https://news.ycombinator.com/rss',
  },
  {
    topic: 'technology',
    language: 'en',
    title: 'Schneier on Security',
    site: 'schneier.com',
    url: 'https://www.schneier.com/feed/atom/',
  },
  { topic: 'programming', language: 'en', title: 'LWN.net', site: 'lwn.net', url: 'https://lwn.net/headlines/rss' },
  {
    topic: 'programming',
    language: 'en',
    title: 'Rust Blog',
    site: 'blog.rust-lang.org',
    url: 'https://blog.rust-lang.org/feed.xml',
  },
  { topic: 'programming', language: 'en', title: 'Julia Evans', site: 'jvns.ca', url: 'https://jvns.ca/atom.xml' },
  {
    topic: 'programming',
    language: 'en',
    title: 'Simon Willison',
    site: 'simonwillison.net',
    url: 'https://simonwillison.net/atom/everything/',
  },
  {
    topic: 'science',
    language: 'en',
    title: 'Quanta Magazine',
    site: 'quantamagazine.org',
    url: 'https://api.quantamagazine.org/feed/',
  },
  { topic: 'science', language: 'en', title: 'Nature', site: 'nature.com', url: 'https://www.nature.com/nature.rss' },
  {
    topic: 'science',
    language: 'en',
    title: 'Astronomy Picture of the Day',
    site: 'apod.nasa.gov',
    url: 'https://apod.nasa.gov/apod.rss',
  },
  {
    topic: 'culture',
    language: 'en',
    title: 'Open Culture',
    site: 'openculture.com',
    url: 'https://www.openculture.com/feed',
  },
  { topic: 'culture', language: 'en', title: 'Kottke', site: 'kottke.org', url: 'https://feeds.kottke.org/main' },
  { topic: 'culture', language: 'en', title: 'xkcd', site: 'xkcd.com', url: 'https://xkcd.com/atom.xml' },

  {
    topic: 'news',
    language: 'ja',
    title: 'Yahoo!ニュース 主要',
    site: 'news.yahoo.co.jp',
    url: 'https://news.yahoo.co.jp/rss/topics/top-picks.xml',
  },
  {
    topic: 'news',
    language: 'ja',
    title: 'はてなブックマーク 総合',
    site: 'b.hatena.ne.jp',
    url: 'https://b.hatena.ne.jp/hotentry.rss',
  },
  {
    topic: 'technology',
    language: 'ja',
    title: 'ITmedia NEWS',
    site: 'itmedia.co.jp',
    url: 'https://rss.itmedia.co.jp/rss/2.0/news_bursts.xml',
  },
  {
    topic: 'technology',
    language: 'ja',
    title: 'GIGAZINE',
    site: 'gigazine.net',
    url: 'https://gigazine.net/news/rss_2.0/',
  },
  {
    topic: 'technology',
    language: 'ja',
    title: '窓の杜',
    site: 'forest.watch.impress.co.jp',
    url: 'https://forest.watch.impress.co.jp/data/rss/1.0/wf/feed.rdf',
  },
  {
    topic: 'programming',
    language: 'ja',
    title: 'Publickey',
    site: 'publickey1.jp',
    url: 'https://www.publickey1.jp/atom.xml',
  },
  {
    topic: 'programming',
    language: 'ja',
    title: 'はてなブックマーク テクノロジー',
    site: 'b.hatena.ne.jp',
    url: 'https://b.hatena.ne.jp/hotentry/it.rss',
  },
  { topic: 'programming', language: 'ja', title: 'Zenn', site: 'zenn.dev', url: 'https://zenn.dev/feed' },
  {
    topic: 'programming',
    language: 'ja',
    title: 'クックパッド開発者ブログ',
    site: 'techlife.cookpad.com',
    url: 'https://techlife.cookpad.com/feed',
  },
  { topic: 'science', language: 'ja', title: '国立天文台', site: 'nao.ac.jp', url: 'https://www.nao.ac.jp/atom.xml' },
  { topic: 'science', language: 'ja', title: 'sorae', site: 'sorae.info', url: 'https://sorae.info/feed' },
  {
    topic: 'culture',
    language: 'ja',
    title: 'デイリーポータルZ',
    site: 'dailyportalz.jp',
    url: 'https://dailyportalz.jp/feed/headline',
  },
  {
    topic: 'culture',
    language: 'ja',
    title: 'はてなブックマーク 暮らし',
    site: 'b.hatena.ne.jp',
    url: 'https://b.hatena.ne.jp/hotentry/life.rss',
  },
];
