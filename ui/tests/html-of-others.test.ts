import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../src');
/** Every way to put text into a page as markup. */
const WAYS =
  /dangerouslySetInnerHTML|\.(innerHTML|outerHTML|srcdoc)\s*=[^=]|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe/;

it('HTML of others gets into the page in one place', () => {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const using = files.filter((file) => WAYS.test(readFileSync(file, 'utf8')));
  expect(using.map((file) => path.relative(source, file))).toEqual(['shared/content/article-text.tsx']);
});
