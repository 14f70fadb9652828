// Pictures with at most 256 colours: a third of the bytes, and no difference that one sees on a page of ink and paper.

import { deflateSync, inflateSync } from 'node:zlib';
import { chunk, SIGNATURE } from '../support/icons.ts';

/** How many of the commonest colours stay exactly as they are. */
const EXACT = 160;

type Pixels = { width: number; height: number; colours: Uint32Array };

/** The same picture with a palette. Takes what Chromium writes: eight bits a channel, not interlaced. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = choose(counts);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = nearest.get(colours[y * width + x] ?? 0) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => channels(colour)));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

/** The commonest colours as they are, and for the rest the middles of boxes that hold about as many each. */
function choose(counts: ReadonlyMap<number, number>): number[] {
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (sorted.length <= 256) return sorted.map(([colour]) => colour);
  let boxes = [sorted.slice(EXACT)];
  while (boxes.length < 256 - EXACT) {
    const widest = boxes.reduce((best, box) => (spread(box).weight > spread(best).weight ? box : best));
    const { channel, weight } = spread(widest);
    if (weight === 0) break;
    const ordered = [...widest].sort((a, b) => channels(a[0])[channel]! - channels(b[0])[channel]!);
    const half = ordered.length >> 1;
    boxes = [...boxes.filter((box) => box !== widest), ordered.slice(0, half), ordered.slice(half)];
  }
  return [...sorted.slice(0, EXACT).map(([colour]) => colour), ...boxes.map(middle)];
}

type Box = (readonly [colour: number, count: number])[];

const spreads = new WeakMap<Box, { channel: 0 | 1 | 2; weight: number }>();

/** The channel in which a box is widest, and how much it matters. */
function spread(box: Box): { channel: 0 | 1 | 2; weight: number } {
  const known = spreads.get(box);
  if (known) return known;
  let best: { channel: 0 | 1 | 2; weight: number } = { channel: 0, weight: 0 };
  for (const channel of [0, 1, 2] as const) {
    let [least, most] = [255, 0];
    for (const [colour] of box) {
      const value = channels(colour)[channel];
      [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
    const weight = (most - least) * Math.sqrt(box.length);
    if (weight > best.weight) best = { channel, weight };
  }
  spreads.set(box, best);
  return best;
}

function middle(box: Box): number {
  const total = box.reduce((sum, [, count]) => sum + count, 0);
  const of = (channel: 0 | 1 | 2) =>
    Math.round(box.reduce((sum, [colour, count]) => sum + channels(colour)[channel] * count, 0) / total);
  return (of(0) << 16) | (of(1) << 8) | of(2);
}

function nearestIn(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channels(colour);
  let [best, distance] = [0, Number.POSITIVE_INFINITY];
  for (const [at, candidate] of palette.entries()) {
    const [r, g, b] = channels(candidate);
    const d = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + 3 * (b - blue) ** 2;
    if (d < distance) [best, distance] = [at, d];
  }
  return best;
}

function decode(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let [width, height, size] = [0, 0, 0];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      size = data[9] === 6 ? 4 : 3;
    }
    if (type === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const lines = unfilter(inflateSync(Buffer.concat(parts)), width * size, size);
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1) {
    colours[at] = (lines[at * size]! << 16) | (lines[at * size + 1]! << 8) | lines[at * size + 2]!;
  }
  return { width, height, colours };
}

/** Takes the difference to its neighbours out of every byte (PNG, 9.2). */
function unfilter(raw: Buffer, stride: number, size: number): Buffer {
  const height = raw.length / (stride + 1);
  const lines = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= size ? lines[at - size]! : 0;
      const up = y > 0 ? lines[at - stride]! : 0;
      const corner = x >= size && y > 0 ? lines[at - stride - size]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      lines[at] = raw[y * (stride + 1) + x + 1]! + guess;
    }
  }
  return lines;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
