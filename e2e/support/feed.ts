// A feed somewhere on the web, as its publisher sees it: it gets new entries, changes, fails, and comes back.

import { createHash } from 'node:crypto';

export type Language = 'en' | 'ja';

export type Entry = {
  title: string;
  html: string;
  author: string;
  categories: readonly string[];
  /** When it was published; null for a feed that does not say. */
  at: Date | null;
};

export type FeedOptions = {
  title: string;
  /** How many entries it begins with; their titles are numbered when there are more than eight. */
  items?: number;
  language?: Language;
  format?: 'rss' | 'atom';
  /** The icon of its site, if it has one. */
  icon?: 'png' | 'ico';
};

const TITLES: Record<Language, readonly string[]> = {
  en: [
    'The ferry timetable that nobody could read',
    'A field guide to broken clocks',
    'What the tide tables left out',
    'Notes on repairing a letterpress',
    'Why small databases win',
    'The last lighthouse keeper',
    'How a city maps its own noise',
    'On reading slowly',
  ],
  ja: [
    '木版の職人に聞く、版木の選び方',
    '夏の夜空で見つけやすい星座',
    '小さな町の図書館が続ける読書会',
    '台所でできる発酵の実験',
    '夜行列車で読みたい十冊',
    '活字を拾うという仕事',
    '天気図を手で描いてみる',
    '古い地図から見える川の流れ',
  ],
};

const TEXTS: Record<Language, string> = {
  en: `<p>The timetable hung in the harbour office for eleven years, and in all that time nobody had managed to catch the
boat it promised. It was set in a typeface so narrow that sixes and eights were the same figure.</p><h2>A matter of
setting</h2><p>When the new printer opened her shop she reset it in an evening, and the ferry filled.</p>
<blockquote><p>Legibility is a kind of punctuality.</p></blockquote><ul><li>Figures that line up</li><li>Paper that does
not curl</li></ul>`,
  ja: `<p>版木は山桜がよいと言われる。木目が細かく、刃を入れたときに欠けにくいからだ。職人は年輪の向きを読み、絵の線に
沿うように板を選ぶ。</p><h2>道具を選ぶ</h2><p>小刀は毎朝研ぐ。砥石の番手を変えながら、刃先に映る光が一筋になるまで続ける。</p>
<blockquote><p>急がないことが、いちばん早い。</p></blockquote><ul><li>山桜の板</li><li>ばれん</li></ul>`,
};

/** How its server answers at the moment. */
type Health = { kind: 'works' } | { kind: 'fails'; status: number } | { kind: 'nonsense' };

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export class Feed {
  readonly url: string;
  /** The page of its site. */
  readonly site: string;
  readonly language: Language;
  title: string;
  health: Health = { kind: 'works' };
  /** The newest first. */
  entries: Entry[] = [];
  #held: Promise<void> | undefined;
  readonly #format: 'rss' | 'atom';
  readonly #begun = Date.now();

  constructor(url: string, site: string, options: FeedOptions) {
    this.url = url;
    this.site = site;
    this.title = options.title;
    this.language = options.language ?? 'en';
    this.#format = options.format ?? 'rss';
    const count = options.items ?? 8;
    const titles = TITLES[this.language];
    for (let at = 0; at < count; at += 1) {
      const number = count > titles.length ? `, no. ${String(at + 1).padStart(4, '0')}` : '';
      const published = new Date(this.#begun - (at + 1) * 47 * 60_000);
      this.entries.push(this.#entry({ title: `${titles[at % titles.length]}${number}`, at: published }));
    }
  }

  /** Where its entries link to. */
  get links(): string[] {
    return this.entries.map((entry) => this.#link(entry));
  }

  /** Brings out something new, above all else. */
  publish(...entries: (Partial<Entry> & { title: string })[]): void {
    this.entries.unshift(...entries.map((entry) => this.#entry({ at: new Date(), ...entry })));
  }

  /** Answers with this status from now on. */
  fail(status: number): void {
    this.health = { kind: 'fails', status };
  }

  /** Answers with a page that is no feed from now on. */
  talkNonsense(): void {
    this.health = { kind: 'nonsense' };
  }

  recover(): void {
    this.health = { kind: 'works' };
  }

  /** Lets whoever asks wait, until what this hands back is called. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      this.#held = undefined;
      release();
    };
  }

  /** Settles when it answers again. */
  get whenFree(): Promise<void> {
    return this.#held ?? Promise.resolve();
  }

  get mediaType(): string {
    return this.#format === 'rss' ? 'application/rss+xml' : 'application/atom+xml';
  }

  write(): string {
    return this.#format === 'rss' ? this.#writeRss() : this.#writeAtom();
  }

  #entry(known: Partial<Entry> & { title: string }): Entry {
    const [author, category] = this.language === 'ja' ? ['佐藤 花', '文化'] : ['Ann Field', 'craft'];
    return { html: TEXTS[this.language], author, categories: [category], at: null, ...known };
  }

  #writeRss(): string {
    const items = this.entries.map(
      (entry) => `<item><title>${xml(entry.title)}</title><link>${this.#link(entry)}</link>
<guid isPermaLink="false">${idOf(entry)}</guid>${entry.at ? `<pubDate>${entry.at.toUTCString()}</pubDate>` : ''}
<dc:creator>${xml(entry.author)}</dc:creator>${entry.categories.map((name) => `<category>${xml(name)}</category>`).join('')}
<description>${xml(entry.html)}</description></item>`,
    );
    return `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>${xml(this.title)}</title><link>${this.site}</link><language>${this.language}</language>
<description>${xml(this.title)}</description>${items.join('')}</channel></rss>`;
  }

  #writeAtom(): string {
    const entries = this.entries.map(
      (entry) => `<entry><title>${xml(entry.title)}</title><link href="${this.#link(entry)}"/><id>${idOf(entry)}</id>
${entry.at ? `<published>${entry.at.toISOString()}</published>` : ''}<author><name>${xml(entry.author)}</name></author>
${entry.categories.map((name) => `<category term="${xml(name)}"/>`).join('')}
<content type="html">${xml(entry.html)}</content></entry>`,
    );
    return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${this.language}">
<title>${xml(this.title)}</title><link href="${this.site}"/><id>${this.url}</id>${entries.join('')}</feed>`;
  }

  #link(entry: Entry): string {
    return `${this.site}${idOf(entry)}`;
  }
}

/** An entry is known by its title: one that was changed is another one. */
function idOf(entry: Entry): string {
  return createHash('sha1').update(entry.title).digest('hex').slice(0, 12);
}
