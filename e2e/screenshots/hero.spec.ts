// The picture at the head of the README: a wide screen by day, a phone by night. Made of pictures that were taken before.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from '@playwright/test';
import { TARGET_DIR } from '../support/options.ts';
import { withPalette } from './png.ts';

const folder = path.join(TARGET_DIR, 'screenshots');

test('the picture at the head of the README', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 1664, height: 1000 } });
  const picture = async (name: string) => {
    const file = await readFile(path.join(folder, `${name}.png`));
    return `<img class="${name.includes('phone') ? 'phone' : 'wide'}" src="data:image/png;base64,${file.toString('base64')}">`;
  };
  await page.setContent(`<style>
    body { margin: 0; background: #ece3d0; }
    img { position: absolute; display: block; }
    .wide { left: 56px; top: 72px; border-radius: 14px; box-shadow: 0 0 0 1px #d9cdb4, 0 18px 40px rgb(60 45 20 / 0.16); }
    .phone { right: 56px; top: 100px; border-radius: 36px; box-shadow: 0 0 0 9px #2a251e, 0 20px 44px rgb(40 30 15 / 0.32); }
  </style>${await picture('article-wide-light-en')}${await picture('article-phone-dark-ja')}`);
  await page.locator('.phone').evaluate((image: HTMLImageElement) => image.decode());
  await writeFile(path.join(folder, 'kawaraban.png'), withPalette(await page.screenshot()));
  await page.close();
});
