import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name));
const using = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => path.relative(source, file));

it('no text becomes markup of the page', () => {
  const ways =
    /dangerouslySetInnerHTML|\.(innerHTML|outerHTML|srcdoc)\s*=[^=]|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe/;
  expect(using(ways)).toEqual([]);
});

it('one file parses HTML and names scripts, with the one Trusted Types policy', () => {
  expect(using(/parseFromString|createPolicy|\.createHTML|\.createScriptURL/)).toEqual(['shared/lib/trusted.ts']);
});
