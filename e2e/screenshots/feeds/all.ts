import * as english from './english.ts';
import type { Feed } from './feed.ts';
import * as japanese from './japanese.ts';
import { tides } from './tides.ts';

export const feeds: readonly Feed[] = [...Object.values(english), ...Object.values(japanese), tides];
