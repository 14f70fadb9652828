import { expect, test } from 'vitest';
import { type Command, isAddress, match } from './match';

const command = (label: string, also?: string): Command => ({ id: label, label, also, group: 'feeds', run: () => {} });
const all = [command('The Rust Blog'), command('Crusty bread'), command('Rust café'), command('設定', 'settings')];
const found = (query: string) => match(all, query).map(({ label }) => label);

test('what begins with the word comes first, then whole words, then the rest', () => {
  expect(found('rust')).toEqual(['Rust café', 'The Rust Blog', 'Crusty bread']);
});

test('all words must be there, in any order, without regard to accents and width', () => {
  expect(found('blog rust')).toEqual(['The Rust Blog']);
  expect(found('CAFE')).toEqual(['Rust café']);
  expect(found('ｒｕｓｔ ｂｌｏｇ')).toEqual(['The Rust Blog']);
  expect(found('settings')).toEqual(['設定']);
  expect(found('nothing')).toEqual([]);
});

test('without words everything is there, as it came', () => {
  expect(found('  ')).toEqual(all.map(({ label }) => label));
});

test('addresses are told from words', () => {
  for (const address of ['example.com', 'https://example.com/feed', 'blog.example.co.jp/a?b=c', 'http://localhost/x']) {
    expect(isAddress(address), address).toBe(true);
  }
  for (const words of ['rust', 'hello world.', 'a. b', '', 'end.']) expect(isAddress(words), words).toBe(false);
});
