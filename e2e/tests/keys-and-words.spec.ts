// Keys on other layouts, and what screen readers are told. Like keyboard.spec.ts, without a mouse.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/story.ts';

/** Presses a key as another layout or an input method has it. */
async function pressAs(page: Page, key: string, code: string, modifiers = 0): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const text = key.length === 1 ? key : undefined;
  await session.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', key, code, text, modifiers });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
  await session.detach();
}

test('keys work on other layouts, and are letters where somebody writes', async ({ reader, origin }) => {
  const { page } = reader;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  const titles = (await reader.items()).map((item) => item.title);
  const opened = page.locator('[data-item] article').getByRole('heading', { level: 2 });
  const steps: [layout: string, key: string, code: string, opens: number][] = [
    ['Russian j', 'о', 'KeyJ', 0],
    ['Russian j', 'о', 'KeyJ', 1],
    ['Russian k', 'л', 'KeyK', 0],
    ['kana j', 'ま', 'KeyJ', 1],
    ['kana k', 'の', 'KeyK', 0],
    ['j, eaten by an input method', 'Process', 'KeyJ', 1],
    ['Dvorak j', 'j', 'KeyC', 2],
    ['AZERTY k', 'k', 'KeyK', 1],
  ];
  for (const [layout, key, code, opens] of steps) {
    await pressAs(page, key, code);
    await expect(opened, layout).toHaveText(titles[opens]!);
  }
  // What types something else does nothing, wherever it is; and with other keys held it is the browser's.
  await pressAs(page, 'h', 'KeyJ');
  await pressAs(page, 'ø', 'KeyO');
  for (const held of [1, 2, 4]) await pressAs(page, 'j', 'KeyJ', held);
  await pressAs(page, 'о', 'KeyJ');
  await expect(opened).toHaveText(titles[2]!);

  // Two after each other in Russian, and the slash, which is a full stop there.
  await pressAs(page, 'п', 'KeyG');
  await pressAs(page, 'г', 'KeyU');
  await expect(page.getByRole('heading', { level: 1, name: 'Unread' })).toBeVisible();
  await pressAs(page, '.', 'Slash');
  const box = page.getByRole('searchbox');
  await expect(box).toBeFocused();
  for (const [key, code] of [
    ['о', 'KeyJ'],
    ['j', 'KeyJ'],
    ['?', 'Slash'],
  ] as const) {
    await pressAs(page, key, code);
  }
  await expect(box).toHaveValue('оj?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('what happens is said, once', async ({ reader, origin }) => {
  const { page } = reader;
  const { keyboard } = page;
  const feeds = ['Edo Gazette', 'Harbour Notes'].map((title) => origin.feed({ title }));
  const subscriptions = [];
  for (const feed of feeds) subscriptions.push(await reader.subscribe(feed));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(16);
  const said = await page.evaluateHandle(() => {
    const words: string[] = [];
    new MutationObserver((changes) => {
      for (const { addedNodes, target } of changes) {
        if ((target as Element).closest('[role=status]'))
          words.push(...[...addedNodes].map((one) => one.textContent ?? ''));
      }
    }).observe(document.body, { childList: true, subtree: true });
    return words;
  });
  const heard = () => said.evaluate((words) => words.splice(0).filter((one) => !/^Loading/.test(one)));

  await keyboard.press('g');
  await keyboard.press('u');
  await expect(page.getByRole('heading', { level: 1, name: 'Unread' })).toBeVisible();
  await expect(reader.rows).toHaveCount(16);
  await expect.poll(heard).toEqual(['Unread']);
  await keyboard.press('Shift+A');
  await expect(reader.toast('16 items marked as read')).toBeVisible();
  expect(await heard()).toEqual(['16 items marked as read', 'Press z to undo.']);
  await keyboard.press('z');
  await expect(reader.place('Unread')).toContainText('16');

  for (const [at, subscription] of subscriptions.entries()) {
    feeds[at]!.publish({ title: `The tide came early in ${feeds[at]!.title}` });
    await reader.refresh(subscription);
    await expect(page.getByRole('button', { name: `Show ${at + 1} new item` })).toBeVisible();
  }
  expect(await heard()).toEqual(['Show 1 new item']);
});
