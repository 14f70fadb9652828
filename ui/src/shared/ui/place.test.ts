import { expect, it } from 'vitest';
import { placeBeside } from './place';

const room = { width: 1000, height: 600 };
const size = { width: 200, height: 100 };
const at = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 30 });

it('stands below, at the side that was asked for', () => {
  expect(placeBeside(at(500, 100), size, room, 'start')).toEqual({ left: 500, top: 136 });
  expect(placeBeside(at(500, 100), size, room, 'end')).toEqual({ left: 340, top: 136 });
  expect(placeBeside(at(500, 100), size, room, 'center')).toEqual({ left: 420, top: 136 });
});

it('stands above where there is no room below', () => {
  expect(placeBeside(at(500, 550), size, room, 'start').top).toBe(444);
});

it('never leaves the window', () => {
  expect(placeBeside(at(980, 100), size, room, 'start').left).toBe(792);
  expect(placeBeside(at(0, 100), size, room, 'end').left).toBe(8);
  expect(placeBeside(at(0, 300), { width: 200, height: 900 }, room, 'start').top).toBe(8);
});

it('stands to the right where that was asked for and there is room', () => {
  expect(placeBeside(at(100, 100), size, room, 'center', 'right')).toEqual({ left: 146, top: 65 });
  expect(placeBeside(at(900, 100), size, room, 'center', 'right')).toEqual({ left: 792, top: 136 });
});
