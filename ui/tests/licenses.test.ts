import path from 'node:path';
import { expect, it } from 'vitest';
import { collectNotices, packageFolder, repositoryUrl } from '../build/licenses.ts';

const inModules = (name: string) => path.resolve(import.meta.dirname, '../node_modules', name);

it('finds the package of a module, nested and scoped ones too', () => {
  expect(packageFolder('/ui/node_modules/react/index.js?commonjs')).toBe('/ui/node_modules/react');
  expect(packageFolder('/ui/node_modules/a/node_modules/@b/c/dist/x.js')).toBe('/ui/node_modules/a/node_modules/@b/c');
  expect(packageFolder('/ui/src/app/main.tsx')).toBeUndefined();
  expect(packageFolder('\0vite/preload-helper.js')).toBeUndefined();
});

it('writes repositories as addresses', () => {
  expect(repositoryUrl({ url: 'git+https://github.com/a/b.git' })).toBe('https://github.com/a/b');
  expect(repositoryUrl('git://github.com/a/b')).toBe('https://github.com/a/b');
  expect(repositoryUrl('a/b')).toBe('https://github.com/a/b');
  expect(repositoryUrl('github:a/b')).toBe('https://github.com/a/b');
  expect(repositoryUrl(undefined)).toBeNull();
});

it('keeps the licence of a package and its text, equal texts once', () => {
  const { packages, texts } = collectNotices(['react-dom', 'react', 'tailwindcss'].map(inModules));
  expect(packages.map(({ name, license }) => [name, license])).toEqual([
    ['react', 'MIT'],
    ['react-dom', 'MIT'],
    ['tailwindcss', 'MIT'],
  ]);
  expect(texts).toHaveLength(2);
  for (const one of packages) for (const place of one.texts) expect(texts[place]).toMatch(/Copyright \(c\)/);
});
