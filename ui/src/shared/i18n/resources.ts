import { common as commonEn } from './en/common';
import type { health } from './en/health';
import type { reader } from './en/reader';
import { reading as readingEn } from './en/reading';
import type { settings } from './en/settings';
import type { signIn } from './en/sign-in';
import type { watch } from './en/watch';
import type { welcome } from './en/welcome';
import { common as commonJa } from './ja/common';
import { reading as readingJa } from './ja/reading';

/** The words of the first load, in both languages: smaller than the cost of another request. */
export const resources = {
  en: { common: commonEn, reading: readingEn },
  ja: { common: commonJa, reading: readingJa },
} as const;

/** All namespaces. Lazily loaded pages add theirs with `addWords`. */
export type Namespaces = (typeof resources)['en'] & {
  signIn: typeof signIn;
  welcome: typeof welcome;
  settings: typeof settings;
  health: typeof health;
  reader: typeof reader;
  watch: typeof watch;
};
