import type { welcome } from '@/shared/i18n/en/welcome';
import type { Language } from '@/shared/preferences/preferences';

export type Topic = keyof (typeof welcome)['topics'];

/** A suggested feed, with its site for users to recognise. */
export type Starter = { title: string; site: string; url: string; language: Language; topic: Topic };

type Feed = [title: string, site: string, url: string];

/** Public feeds that have existed for many years, in the order of the page. */
const feeds: Record<Language, Record<Topic, Feed[]>> = {
  en: {
    news: [
      ['BBC News: World', 'bbc.co.uk', 'https://feeds.bbci.co.uk/news/world/rss.xml'],
      ['NPR News', 'npr.org', 'https://feeds.npr.org/1001/rss.xml'],
      ['The Guardian: World', 'theguardian.com', 'https://www.theguardian.com/world/rss'],
    ],
    technology: [
      ['Ars Technica', 'arstechnica.com', 'https://feeds.arstechnica.com/arstechnica/index'],
      ['Hacker News', 'news.ycombinator.com', 'https://news.ycombinator.com/rss'],
      ['Schneier on Security', 'schneier.com', 'https://www.schneier.com/feed/atom/'],
    ],
    programming: [
      ['LWN.net', 'lwn.net', 'https://lwn.net/headlines/rss'],
      ['Rust Blog', 'blog.rust-lang.org', 'https://blog.rust-lang.org/feed.xml'],
      ['Julia Evans', 'jvns.ca', 'https://jvns.ca/atom.xml'],
      ['Simon Willison', 'simonwillison.net', 'https://simonwillison.net/atom/everything/'],
    ],
    science: [
      ['Quanta Magazine', 'quantamagazine.org', 'https://api.quantamagazine.org/feed/'],
      ['Nature', 'nature.com', 'https://www.nature.com/nature.rss'],
      ['Astronomy Picture of the Day', 'apod.nasa.gov', 'https://apod.nasa.gov/apod.rss'],
    ],
    culture: [
      ['Open Culture', 'openculture.com', 'https://www.openculture.com/feed'],
      ['Kottke', 'kottke.org', 'https://feeds.kottke.org/main'],
      ['xkcd', 'xkcd.com', 'https://xkcd.com/atom.xml'],
    ],
  },
  ja: {
    news: [
      ['Yahoo!ニュース 主要', 'news.yahoo.co.jp', 'https://news.yahoo.co.jp/rss/topics/top-picks.xml'],
      ['はてなブックマーク 総合', 'b.hatena.ne.jp', 'https://b.hatena.ne.jp/hotentry.rss'],
    ],
    technology: [
      ['ITmedia NEWS', 'itmedia.co.jp', 'https://rss.itmedia.co.jp/rss/2.0/news_bursts.xml'],
      ['GIGAZINE', 'gigazine.net', 'https://gigazine.net/news/rss_2.0/'],
      ['窓の杜', 'forest.watch.impress.co.jp', 'https://forest.watch.impress.co.jp/data/rss/1.0/wf/feed.rdf'],
    ],
    programming: [
      ['Publickey', 'publickey1.jp', 'https://www.publickey1.jp/atom.xml'],
      ['はてなブックマーク テクノロジー', 'b.hatena.ne.jp', 'https://b.hatena.ne.jp/hotentry/it.rss'],
      ['Zenn', 'zenn.dev', 'https://zenn.dev/feed'],
      ['クックパッド開発者ブログ', 'techlife.cookpad.com', 'https://techlife.cookpad.com/feed'],
    ],
    science: [
      ['国立天文台', 'nao.ac.jp', 'https://www.nao.ac.jp/atom.xml'],
      ['sorae', 'sorae.info', 'https://sorae.info/feed'],
    ],
    culture: [
      ['デイリーポータルZ', 'dailyportalz.jp', 'https://dailyportalz.jp/feed/headline'],
      ['はてなブックマーク 暮らし', 'b.hatena.ne.jp', 'https://b.hatena.ne.jp/hotentry/life.rss'],
    ],
  },
};

export const topics = Object.keys(feeds.en) as Topic[];

export const starters: readonly Starter[] = (['en', 'ja'] as const).flatMap((language) =>
  topics.flatMap((topic) =>
    feeds[language][topic].map(([title, site, url]) => ({ title, site, url, language, topic })),
  ),
);
