import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { cn } from '@/shared/lib/cn';

const root = path.resolve(import.meta.dirname, '../src');
const whole = extendTailwindMerge({
  extend: { theme: { text: ['xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl'], shadow: ['float'] } },
});

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }));
const literals = (source: string) => [...source.matchAll(/'([a-z[][^'\n]*)'/g)].map(([, text = '']) => text);

/** Everything that stands as `className="…"` at a component of ours, and so may contradict what the component has itself. */
function exceptions(): string[] {
  const found = sources.flatMap(({ source }) =>
    [...source.matchAll(/<[A-Z]\w*(?:[^<>]|=>)*?className="([^"]+)"/g)].map(([, classes = '']) => classes),
  );
  return [...new Set(found)];
}

/** Everything that is passed to `cn` or `cva` in a component that takes a `className`. */
function bases(): string[] {
  const found = sources.filter(({ file }) => file.startsWith('shared/ui')).flatMap(({ source }) => literals(source));
  return [...new Set(found)].filter((text) => text.includes(' ') || text.includes('-'));
}

/** All that stands within one `cn(…)`, whatever it depends on. */
function calls(): string[] {
  return sources.flatMap(({ source }) =>
    [...source.matchAll(/\bcn\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g)].map(([, inside = '']) =>
      literals(inside).join(' '),
    ),
  );
}

/** The same class twice is no contradiction. */
const once = (classes: string) => [...new Set(classes.split(' '))].sort().join(' ');

it('knows of all classes in use which contradict each other', { timeout: 60_000 }, () => {
  const all = exceptions();
  expect(all.length).toBeGreaterThan(40);
  expect(calls().length).toBeGreaterThan(40);
  const together = [...bases().flatMap((base) => all.map((exception) => `${base} ${exception}`)), ...calls()];
  const wrong = together
    .map((classes) => ({ classes, ours: once(cn(classes)), theirs: once(whole(classes)) }))
    .filter(({ ours, theirs }) => ours !== theirs);
  expect(wrong).toEqual([]);
});
