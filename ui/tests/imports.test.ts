import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|tsx)$/.test(file))
  .map((file) => file.replaceAll('\\', '/'));

/** Every file of ours that a file names, as a path below src/: static and dynamic imports, types too. */
function importsOf(file: string, isWithoutTypes = false): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = isWithoutTypes ? text.replaceAll(/^import type [^;]+;/gm, '') : text;
  const found = source.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)['"]([^'"]+)['"]/gm);
  return [...found].flatMap(([, name = '']) => {
    if (name.startsWith('@/')) return [name.slice(2)];
    return name.startsWith('.') ? [path.posix.join(path.posix.dirname(file), name)] : [];
  });
}

/** `shared`, `app`, or the name of a feature. */
const homeOf = (file: string) => /^features\/([^/]+)/.exec(file)?.[1] ?? file.split('/')[0];

/** What is wrong with an import, or nothing. */
function wrong(from: string, to: string): string | null {
  if (!to.startsWith('features/') && !to.startsWith('app/')) return null;
  if (from.startsWith('app/')) return null;
  if (from.startsWith('shared/')) return 'shared/ stands below everything and knows none of it';
  if (to.startsWith('app/')) return 'a feature does not know the app that it is put into';
  return homeOf(from) === homeOf(to) ? null : 'a feature does not know another; what both need belongs in shared/';
}

describe('imports', () => {
  it('are found at all', () => {
    expect(importsOf('app/routes/settings.ts')).toContain('features/settings/settings-page');
    expect(importsOf('app/main.tsx')).toContain('app/router');
  });

  it('go one way: shared, features, app; and no feature knows another', () => {
    const bad = files.flatMap((from) =>
      importsOf(from).flatMap((to) => {
        const reason = wrong(from, to);
        return reason ? [`${from} imports ${to}: ${reason}`] : [];
      }),
    );
    expect(bad).toEqual([]);
  });

  it('would be caught the other way', () => {
    expect(wrong('shared/ui/button.tsx', 'features/reader/list')).not.toBeNull();
    expect(wrong('shared/ui/button.tsx', 'app/router')).not.toBeNull();
    expect(wrong('features/reader/list.tsx', 'app/router')).not.toBeNull();
    expect(wrong('features/reader/list.tsx', 'features/search/hits')).not.toBeNull();
    expect(wrong('features/reader/list.tsx', 'features/reader/row')).toBeNull();
  });
});

/** The layers of shared/, lowest first: a file uses values of its own and lower layers. Types may come from anywhere. See ADR 22. */
const layers = ['lib', 'ui', 'offline', 'api'];

/** The rank of the layer of a file; -1 for other folders. */
const rankOf = (file: string) => layers.indexOf(/^shared\/([^/]+)\//.exec(file)?.[1] ?? '');
const goesUp = (from: string, to: string) => rankOf(from) >= 0 && rankOf(to) > rankOf(from);

describe('layers of shared/', () => {
  it('use only lower layers', () => {
    const up = files
      .filter((file) => !file.includes('.test.'))
      .flatMap((from) => importsOf(from, true).flatMap((to) => (goesUp(from, to) ? [`${from} imports ${to}`] : [])));
    expect(up).toEqual([]);
  });

  it('would be caught the other way', () => {
    expect(goesUp('shared/offline/outbox.ts', 'shared/api/client')).toBe(true);
    expect(goesUp('shared/api/items.ts', 'shared/offline/outbox')).toBe(false);
    expect(goesUp('shared/keys/use-keys.ts', 'shared/api/client')).toBe(false);
  });
});

describe('files', () => {
  it('can be read in a minute: at most 300 lines', () => {
    const long = files
      .filter((file) => file !== 'shared/api/schema.ts')
      .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });
});
