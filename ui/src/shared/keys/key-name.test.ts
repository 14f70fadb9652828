// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { isTyping, keyName } from './key-name';

const press = (key: string, code: string, shiftKey = false) => keyName({ key, code, shiftKey });

describe('the name of a key', () => {
  it('is what it types, where that is Latin', () => {
    expect(press('j', 'KeyJ')).toBe('j');
    expect(press('J', 'KeyJ', true)).toBe('J');
    expect(press('?', 'Slash', true)).toBe('?');
    expect(press('Enter', 'Enter')).toBe('Enter');
  });

  it('is what is printed on it, not where it is: AZERTY, Dvorak', () => {
    expect(press('a', 'KeyQ')).toBe('a');
    expect(press('j', 'KeyC')).toBe('j');
  });

  it('does not mind Caps Lock', () => {
    expect(press('J', 'KeyJ')).toBe('j');
    expect(press('j', 'KeyJ', true)).toBe('J');
  });

  it.each([
    ['о', 'KeyJ', 'j'],
    ['ㅓ', 'KeyJ', 'j'],
    ['ま', 'KeyJ', 'j'],
    ['Process', 'KeyJ', 'j'],
    ['ξ', 'KeyJ', 'j'],
    ['め', 'Slash', '/'],
    ['.', 'Slash', '/'],
  ])('is its place where %s is typed', (key, code, name) => {
    expect(press(key, code)).toBe(name);
  });

  it('is nothing for keys that type something else', () => {
    expect(press('-', 'Slash')).toBeNull();
    expect(press('ArrowDown', 'ArrowDown')).toBeNull();
    expect(press('Shift', 'ShiftLeft')).toBeNull();
    expect(press('1', 'Digit1')).toBeNull();
    expect(press('.', 'Period')).toBeNull();
    expect(press('ø', 'KeyO')).toBeNull();
  });
});

it.each([
  ['<input>', true],
  ['<input type="search">', true],
  ['<textarea></textarea>', true],
  ['<select></select>', true],
  ['<input type="radio">', false],
  ['<button></button>', false],
])('in %s somebody writes: %s', (html, expected) => {
  document.body.innerHTML = html;
  expect(isTyping(document.body.firstElementChild)).toBe(expected);
});
