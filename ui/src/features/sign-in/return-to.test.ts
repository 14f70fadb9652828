import { expect, it } from 'vitest';
import { returnPath } from './return-to';

it('comes back to where one was', () => {
  for (const path of ['/', '/feeds/1?filter=unread&item=7', '/search?q=%E7%93%A6#x'])
    expect(returnPath(path)).toBe(path);
});

it('sends nobody elsewhere, and nobody in a circle', () => {
  const bad = [
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    ' /x',
    'javascript:x',
  ];
  for (const path of [...bad, '/sign-in?return_to=/x', '/setup']) expect(returnPath(path)).toBe('/');
});
