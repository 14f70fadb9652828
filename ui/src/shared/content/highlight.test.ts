// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { highlight } from './highlight';

it.each(['rust', 'js', 'ts', 'py', 'c++', 'c#', 'sh', 'html', 'toml', 'yml'])('knows %s', (language) => {
  expect(highlight('x = "<b>"', language)?.textContent).toBe('x = "<b>"');
});

it('colours keywords', () => {
  expect(highlight('fn main() {}', 'rust')?.querySelector('.hljs-keyword')?.textContent).toBe('fn');
});

it('leaves an unknown language and very long code as they are', () => {
  expect(highlight('x', 'unheard-of')).toBeNull();
  expect(highlight('x'.repeat(60_000), 'rust')).toBeNull();
});
