import type { Starter } from './starters';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string) => `"${text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)}"`;

/**
 * The chosen feeds as an OPML file with a folder for each topic. One import adds them all; one request for each would exceed the
 * rate limit for new feeds.
 */
export function writeOpml(chosen: readonly Starter[], nameOf: (topic: Starter['topic']) => string): string {
  const topics = [...new Set(chosen.map((starter) => starter.topic))];
  const feed = ({ title, url }: Starter) =>
    `<outline type="rss" text=${attribute(title)} title=${attribute(title)} xmlUrl=${attribute(url)}/>`;
  const folder = (topic: Starter['topic']) => {
    const feeds = chosen.filter((starter) => starter.topic === topic).map(feed);
    return `<outline text=${attribute(nameOf(topic))}>${feeds.join('')}</outline>`;
  };
  const head = '<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head><title>Kawaraban</title></head>';
  return `${head}<body>${topics.map(folder).join('')}</body></opml>`;
}
