// Takes the pictures: one language in each project, every screen in light and dark, wide and on a phone.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test as base } from '@playwright/test';
import { TARGET_DIR } from '../support/options.ts';
import { PHONE } from '../support/story.ts';
import { withPalette } from './png.ts';
import { before, type Screen, type Size, screens } from './screens.ts';
import { type Language, Stage } from './stage.ts';

const folder = path.join(TARGET_DIR, 'screenshots');
const sizes = { wide: { viewport: { width: 1280, height: 800 } }, phone: PHONE } as const satisfies Record<
  Size,
  object
>;

type Shared = { language: Language; stage: Stage; filled: Stage };

const test = base.extend<object, Shared>({
  language: ['en', { option: true, scope: 'worker' }],
  stage: [
    async ({ language }, use) => {
      const stage = await Stage.open(language);
      await use(stage);
      await stage.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  filled: [
    async ({ stage, browser }, use) => {
      await stage.fill(browser);
      await use(stage);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

for (const size of ['wide', 'phone'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    for (const screen of before) {
      test(`${screen.name} ${size} ${theme}`, ({ stage, browser }) => take(screen, size, theme, stage, browser));
    }
  }
}

for (const size of ['wide', 'phone'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    for (const screen of screens) {
      if (screen.only && screen.only !== size) continue;
      test(`${screen.name} ${size} ${theme}`, ({ filled, browser }) => take(screen, size, theme, filled, browser));
    }
  }
}

async function take(
  screen: Screen,
  size: Size,
  theme: 'light' | 'dark',
  stage: Stage,
  browser: Parameters<Stage['visit']>[0],
) {
  const who = screen.who ?? 'owner';
  const reader = await stage.visit(browser, who, sizes[size]);
  const look = { theme, language: stage.language, ...screen.look };
  if (who !== 'nobody') await reader.prefer(look);
  await reader.context.addInitScript(
    (kept) => localStorage.setItem('kawaraban.preferences', JSON.stringify(kept)),
    look,
  );
  await screen.go(reader, stage, size);
  await reader.page.evaluate(async () => {
    await document.fonts.ready;
    const seen = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return width > 0 && bottom > 0 && top < innerHeight;
    });
    await Promise.all(seen.map((image) => image.decode().catch(() => {})));
  });
  const picture = await reader.page.screenshot({ animations: 'disabled', caret: 'hide' });
  await screen.after?.(reader, stage);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${screen.name}-${size}-${theme}-${stage.language}.png`), withPalette(picture));
  await reader.context.unrouteAll({ behavior: 'ignoreErrors' });
  await reader.context.close();
}
