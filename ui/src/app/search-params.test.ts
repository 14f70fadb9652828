import { expect, it } from 'vitest';
import { listSearch, parseSearch, stringifySearch } from './search-params';

it('reads and writes addresses as people do', () => {
  expect(parseSearch('?q=rust+%26+ink&token=00123')).toEqual({ q: 'rust & ink', token: '00123' });
  expect(stringifySearch({ q: '瓦版', filter: undefined, add: '' })).toBe('?q=%E7%93%A6%E7%89%88&add=');
  expect(stringifySearch({ filter: undefined })).toBe('');
  const search = { q: 'a=b&c', item: '42' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

it('takes only what a list knows', () => {
  expect(listSearch({ filter: 'unread', order: 'oldest', item: '7', other: 'x' })).toEqual({
    filter: 'unread',
    order: 'oldest',
    item: '7',
  });
  expect(listSearch({ filter: 'everything', order: '', item: '' })).toEqual({});
});
