// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { starters } from './starters';
import { writeOpml } from './write-opml';

describe('starters', () => {
  it('are there in both languages for every topic, each once and over TLS', () => {
    const topics = new Set(starters.map((starter) => starter.topic));
    for (const language of ['ja', 'en']) {
      const own = starters.filter((starter) => starter.language === language);
      expect(new Set(own.map((starter) => starter.topic))).toEqual(topics);
    }
    expect(new Set(starters.map((starter) => starter.url)).size).toBe(starters.length);
    for (const { url } of starters) expect(new URL(url).protocol).toBe('https:');
  });
});

describe('writeOpml', () => {
  it('puts each feed into the folder of its topic, whatever the names hold', () => {
    const chosen = starters.filter((starter) => ['Nature', 'xkcd', 'Quanta Magazine'].includes(starter.title));
    const opml = writeOpml(chosen, (topic) => `<${topic}> & "more"`);
    const parsed = new DOMParser().parseFromString(opml, 'text/xml');
    expect(parsed.querySelector('parsererror')).toBeNull();
    const folders = [...parsed.querySelectorAll('body > outline')];
    expect(folders.map((folder) => folder.getAttribute('text'))).toEqual(['<science> & "more"', '<culture> & "more"']);
    const urls = (folder: Element | undefined) =>
      [...(folder?.children ?? [])].map((feed) => feed.getAttribute('xmlUrl'));
    expect(urls(folders[0])).toEqual(['https://api.quantamagazine.org/feed/', 'https://www.nature.com/nature.rss']);
    expect(urls(folders[1])).toEqual(['https://xkcd.com/atom.xml']);
  });
});
