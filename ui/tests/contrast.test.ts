import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(path.resolve(import.meta.dirname, '../src/app/tokens.css'), 'utf8');

/** The colours of a theme, by their name. */
function colours(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['bg', 'surface', 'sunken', 'hover', 'accent-soft'];
const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'link', 'ok', 'warn', 'bad'];
const pairs: [text: string, ground: string, least: number][] = [
  ...texts.flatMap((text) => grounds.map((ground): [string, string, number] => [text, ground, 4.5])),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['bg', 'ink', 4.5],
  ['ink', 'bad-soft', 4.5],
  ['ink-2', 'bad-soft', 4.5],
  ['bad', 'bad-soft', 4.5],
  ...grounds.map((ground): [string, string, number] => ['star', ground, 3]),
  ...['bg', 'surface', 'sunken'].map((ground): [string, string, number] => ['line-strong', ground, 3]),
];

describe.each([
  ['light', ':root'],
  ['dark', '[data-theme="dark"]'],
])('colours, %s', (_, selector) => {
  const theme = colours(selector);
  it.each(pairs)('%s on %s reaches %s', (text, ground, least) => {
    expect(contrast(theme[text] ?? '', theme[ground] ?? '')).toBeGreaterThanOrEqual(least);
  });
});
