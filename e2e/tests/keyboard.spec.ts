// Everything without a mouse: no story in this file points at anything.

import type { Locator } from '@playwright/test';
import { expect, test } from '../support/story.ts';

test.describe.configure({ timeout: 180_000 });

/** Goes on with Tab until something has the focus; backwards with Shift. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = target.page();
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not lead to ${target}`);
}

test('a day without a mouse', async ({ arrive, origin }) => {
  const { account } = await arrive({ name: 'Hana' });
  const reader = await arrive({ account, isSignedIn: false });
  const { page } = reader;
  const { keyboard } = page;
  reader.watch.expect(/status of 401/);
  const gazette = origin.feed({ title: 'Edo Gazette' });
  const notes = origin.feed({ title: 'Harbour Notes', language: 'ja' });
  const blog = origin.page('/blog', [gazette, notes]);
  const title = (name: string) => page.getByRole('heading', { level: 1, name });
  const opened = page.locator('[data-item] article').getByRole('heading', { level: 2 });
  const choose = async (words: string) => {
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused();
    await keyboard.type(words);
    await expect(page.getByRole('option', { selected: true })).toHaveText(words);
    await keyboard.press('Enter');
  };

  await test.step('signs in', async () => {
    await reader.open('/');
    await expect(page.getByLabel('E-mail address')).toBeFocused();
    await keyboard.type(account.email);
    await keyboard.press('Tab');
    await keyboard.type(account.password);
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/\/welcome$/);
    await expect(page.getByRole('heading', { level: 2, name: 'Paste an address' })).toBeVisible();
  });

  await test.step('adds two feeds that a page offers, into a new folder', async () => {
    await choose('Add a feed');
    await expect(page.getByLabel('Site or feed address')).toBeFocused();
    await keyboard.type(blog);
    await keyboard.press('Enter');
    await expect(page.getByRole('checkbox', { name: 'Edo Gazette' })).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await expect(page.getByRole('checkbox', { name: 'Harbour Notes' })).toBeChecked();
    await keyboard.press('Tab');
    await keyboard.press('End');
    await keyboard.press('Tab');
    await expect(page.getByLabel('New folder name')).toBeFocused();
    await keyboard.type('Papers');
    await keyboard.press('Enter');
    await expect(reader.toast('Added 2 feeds.')).toBeVisible();
    await expect(reader.place('Papers')).toContainText('16');
  });

  await test.step('reads', async () => {
    await keyboard.press('g');
    await keyboard.press('a');
    await expect(title('All items')).toBeVisible();
    await expect(reader.rows).toHaveCount(16);
    const titles = (await reader.items()).map((item) => item.title);
    await keyboard.press('j');
    await expect(opened).toBeFocused();
    await expect(opened).toHaveText(titles[0]!);
    await keyboard.press('j');
    await expect(opened).toHaveText(titles[1]!);
    await keyboard.press('k');
    await expect(opened).toHaveText(titles[0]!);
    await expect(reader.place('Unread')).toContainText('14');
    await keyboard.press('m');
    await expect(reader.place('Unread')).toContainText('15');
    await keyboard.press('s');
    await expect.poll(async () => (await reader.items('starred')).map((item) => item.title)).toEqual([titles[0]]);
    const original = reader.context.waitForEvent('page');
    await keyboard.press('v');
    await (await original).close();
    await page.bringToFront();
    await expect(reader.place('Unread')).toContainText('14');
    await keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Open original' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(opened).toHaveCount(0);
    const row = (at: number) => reader.rows.nth(at).getByRole('link', { name: titles[at]! });
    await expect(row(0)).toBeFocused();
    await keyboard.press('n');
    await keyboard.press('n');
    await expect(row(2)).toBeFocused();
    await keyboard.press('p');
    await expect(row(1)).toBeFocused();
    // Wherever Tab leads to is what keys mean.
    await tabTo(row(3));
    await keyboard.press('p');
    await keyboard.press('p');
    await expect(row(1)).toBeFocused();
    await keyboard.press('o');
    await expect(opened).toHaveText(titles[1]!);
    await keyboard.press('o');
    await expect(row(1)).toBeFocused();
    await keyboard.press('Enter');
    await expect(opened).toHaveText(titles[1]!);
    await keyboard.press('Enter');
    await expect(opened).toHaveCount(0);
  });

  await test.step('marks all as read, and takes it back', async () => {
    await keyboard.press('Shift+A');
    await expect(reader.toast('14 items marked as read')).toBeVisible();
    await expect(reader.place('Unread')).not.toContainText('14');
    await keyboard.press('z');
    await expect(reader.place('Unread')).toContainText('14');
    await expect(reader.toast('marked as read')).toHaveCount(0);
    await keyboard.press('r');
    await expect(reader.rows).toHaveCount(16);
  });

  await test.step('changes what is shown, and keeps the focus', async () => {
    await tabTo(page.getByRole('radio', { name: 'All', exact: true }), 'Shift+Tab');
    await keyboard.press('ArrowRight');
    await expect(title('Unread')).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Unread' })).toBeFocused();
    await keyboard.press('ArrowRight');
    await expect(reader.rows).toHaveCount(1);
    await expect(page.getByRole('radio', { name: 'Starred' })).toBeFocused();
  });

  await test.step('searches', async () => {
    await keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await keyboard.type('printer');
    await expect(reader.rows).toHaveCount(8);
    await keyboard.press('ArrowDown');
    const hit = (at: number) => reader.rows.nth(at).getByRole('button', { expanded: false });
    await expect(hit(0)).toBeFocused();
    await keyboard.press('n');
    await expect(hit(1)).toBeFocused();
    await keyboard.press('o');
    await expect(opened).toBeFocused();
    await keyboard.press('k');
    await expect(reader.rows.nth(0).getByRole('article')).toBeVisible();
    await expect(opened).toBeFocused();
    await keyboard.press('Escape');
    await expect(hit(0)).toBeFocused();
  });

  await test.step('goes from feed to feed', async () => {
    await keyboard.press('Shift+J');
    await expect(title('Edo Gazette')).toBeVisible();
    await keyboard.press('Shift+J');
    await expect(title('Harbour Notes')).toBeVisible();
    await keyboard.press('Shift+K');
    await expect(title('Edo Gazette')).toBeVisible();
    await expect(reader.place('Edo Gazette').getByRole('link')).toHaveAttribute('aria-current', 'page');
  });

  await test.step('makes a folder, moves a feed into it, and the folder up', async () => {
    await tabTo(reader.sidebar.getByRole('button', { name: 'New folder' }));
    await keyboard.press('Enter');
    await expect(page.getByLabel('Folder name')).toBeFocused();
    await keyboard.type('Water');
    await keyboard.press('Enter');
    await expect(reader.place('Water')).toBeVisible();
    await expect(reader.sidebar.getByRole('button', { name: 'New folder' })).toBeFocused();
    await tabTo(page.getByRole('button', { name: 'More actions for Harbour Notes' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Feed settings' })).toBeFocused();
    await keyboard.press('w');
    await expect(page.getByRole('menuitemradio', { name: 'Water' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(reader.toast('Moved to “Water”')).toBeVisible();
    await expect(reader.place('Harbour Notes').getByRole('link')).toBeFocused();
    const order = async () => (await reader.folders()).sort((a, b) => a.position - b.position).map(({ name }) => name);
    await tabTo(reader.place('Water').getByRole('link'), 'Shift+Tab');
    await keyboard.press('Alt+ArrowUp');
    await expect.poll(order).toEqual(['Water', 'Papers']);
    await expect(reader.place('Water').getByRole('link')).toBeFocused();
    await keyboard.press('Alt+ArrowDown');
    await expect.poll(order).toEqual(['Papers', 'Water']);
    await expect(reader.place('Water').getByRole('link')).toBeFocused();
    await keyboard.press('ArrowLeft');
    await expect(reader.place('Harbour Notes')).toHaveCount(0);
  });

  await test.step('changes the theme, by the palette and in the settings', async () => {
    await choose('Dark theme');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await tabTo(reader.sidebar.getByRole('link', { name: 'Settings' }));
    await keyboard.press('Enter');
    await expect(title('Settings')).toBeVisible();
    await tabTo(page.getByRole('radio', { name: 'Dark' }));
    await keyboard.press('ArrowLeft');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  });

  await test.step('skips what is on every page', async () => {
    await page.reload();
    await expect(title('Settings')).toBeVisible();
    await keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link').first()).toBeFocused();
  });

  await test.step('signs out', async () => {
    await choose('Sign out');
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByLabel('E-mail address')).toBeFocused();
  });
});

test('the help lists what works, and keys can be switched off', async ({ reader, origin }) => {
  const { page } = reader;
  const { keyboard } = page;
  await reader.subscribe(origin.feed({ title: 'Edo Gazette' }));
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  await keyboard.press('n');
  await expect(reader.rows.first().getByRole('link', { expanded: false })).toBeFocused();
  await keyboard.press('Shift+?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  // Each is tried in the story above, `f` in full-text.spec.ts, `g w` in watch.spec.ts.
  await expect(help.locator('dd')).toHaveText([
    ...['j', 'k', 'n', 'p', /^o\W*or\W*Enter$/, 'v', 'f', 'm', 's', 'Esc'],
    ...[/^Shift\W*A$/, 'r', 'z'],
    ...[/^g\W*then\W*a$/, /^g\W*then\W*u$/, /^g\W*then\W*s$/, /^g\W*then\W*w$/],
    ...[/^Shift\W*J$/, /^Shift\W*K$/, '/', /^Ctrl\W*K$/, '?'],
  ]);
  // Keys of the page do nothing behind it.
  await keyboard.press('j');
  await keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(reader.rows.first().getByRole('link', { expanded: false })).toBeFocused();

  await reader.open('/settings/keyboard');
  const keys = page.getByRole('switch', { name: 'Keyboard shortcuts' });
  await tabTo(keys);
  await keyboard.press('Space');
  await expect(keys).not.toBeChecked();
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(8);
  await keyboard.press('j');
  await keyboard.press('Shift+?');
  await keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Command palette');
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(0);
});
