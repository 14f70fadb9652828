// WCAG 2.2 AA, as far as a program can tell: every screen in every state, in light and dark. What adapts to people and their
// machines is in adaptation.spec.ts, what is done without a mouse in keyboard.spec.ts.

import { expectAccessible } from '../support/accessibility.ts';
import type { Origin } from '../support/origin.ts';
import type { Reader } from '../support/reader.ts';
import { expect, test } from '../support/story.ts';

// Every screen in turn takes its time on a machine that does other things too.
test.describe.configure({ timeout: 240_000 });

/** Everything stands still, and what the story answers itself is not answered by the pages' own worker. */
const STILL = { reducedMotion: 'reduce', serviceWorkers: 'block' } as const;

/** A folder, feeds in both languages, a star. */
async function furnish(reader: Reader, origin: Origin) {
  const folder = await reader.addFolder('Papers');
  const gazette = await reader.subscribe(origin.feed({ title: 'Edo Gazette', icon: 'png' }), folder);
  const nights = await reader.subscribe(origin.feed({ title: '夜の天文台', language: 'ja' }));
  const [first] = await reader.items();
  await reader.demand(`/api/items/${first!.id}/state`, 'PUT', { is_starred: true });
  return { folder, gazette, nights };
}

function aDay() {
  const now = Date.now();
  return Array.from({ length: 24 }, (_, at) => ({
    hour: new Date(now - (23 - at) * 3_600_000).toISOString(),
    fetches: 12 + at,
    failures: at % 3,
    new_items: at,
    latency_ms_average: 80 + at,
    latency_ms_max: 240 + at,
  }));
}

test('signing in, registering and setting up', async ({ arrive, startDesk }) => {
  const stranger = await arrive({ isSignedIn: false, browser: STILL });
  const { page } = stranger;
  stranger.watch.expect(/status of 4\d\d/);
  await stranger.open('/sign-in');
  await expect(page.getByLabel('E-mail address')).toBeFocused();
  await expectAccessible(page, 'sign-in');

  await page.getByLabel('E-mail address').fill('nobody@news.test');
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'sign-in, refused');

  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail address').fill('nobody@nowhere');
  await page.getByLabel('Password', { exact: true }).fill('password');
  await page.getByRole('button', { name: 'Create an account' }).click();
  // What is wrong with a field is bound to it.
  const wrong = page.locator('[aria-invalid=true]').first();
  await expect(wrong).toHaveAccessibleDescription(/\S/);
  await expectAccessible(page, 'registering, refused');
  await stranger.open('/sign-in?error=sign_in_expired');
  await expectAccessible(page, 'sign-in, after a provider');

  const desk = await startDesk();
  const owner = await arrive({ desk, isSignedIn: false, browser: STILL });
  owner.watch.expect(/status of 401/);
  await owner.open('/sign-in');
  await expect(owner.page.getByText('No accounts yet')).toBeVisible();
  await expectAccessible(owner.page, 'sign-in, before set-up');
  await owner.page.goto(desk.setupLink);
  await expect(owner.page.getByLabel('Name')).toBeVisible();
  await expectAccessible(owner.page, 'set-up');
  await owner.open('/setup');
  await expectAccessible(owner.page, 'set-up, without its token');
});

test('lists and articles, in every state', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  await reader.open('/');
  await expect(page.getByRole('heading', { level: 2, name: 'Paste an address' })).toBeVisible();
  await expectAccessible(page, 'welcome');
  await reader.open('/?filter=all');
  await expect(page.getByText('No feeds yet').first()).toBeVisible();
  await expectAccessible(page, 'no feeds');

  const { gazette } = await furnish(reader, origin);
  await reader.open('/?filter=all');
  await expect(reader.rows).toHaveCount(16);
  await expectAccessible(page, 'list');
  await reader.rows.first().getByRole('link', { expanded: false }).click();
  await expect(page.getByRole('article').getByRole('heading', { level: 3 })).toBeVisible();
  await expectAccessible(page, 'article');
  await reader.prefer({ density: 'compact', readingFont: 'serif' });
  await reader.open(`/feeds/${gazette.feed_id}`);
  await expect(reader.rows).toHaveCount(8);
  await expectAccessible(page, 'compact list of a feed');
  await reader.open('/?filter=starred');
  await reader.rows.first().getByRole('button', { name: 'Remove star' }).click();
  await expect.poll(() => reader.items('starred')).toEqual([]);
  await reader.open('/?filter=starred');
  await expect(page.getByText('No starred items yet')).toBeVisible();
  await expectAccessible(page, 'nothing starred');

  reader.watch.expect(/status of 404/);
  await reader.open('/?filter=all&item=999999999999');
  await expect(page.getByText('This item no longer exists.')).toBeVisible();
  await reader.open('/feeds/01900000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'You’re not subscribed to this feed' })).toBeVisible();
  await expectAccessible(page, 'no such feed');
});

test('lists on their way, and lists that do not come', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  await furnish(reader, origin);
  reader.watch.expect(/status of 500/);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/items?*', async (route) => {
    await answered;
    await route.fulfill({ status: 500, json: { code: 'internal', category: 'system', message: 'It broke.' } });
  });
  await reader.open('/?filter=all');
  await expect(page.locator('main').getByText('Loading')).toBeAttached();
  await expectAccessible(page, 'list on its way');
  answer();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'list that failed');
});

test('feeds that fail, dialogs, menus and toasts', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  const { nights } = await furnish(reader, origin);
  const gone = origin.feed({ title: 'Harbour Notes' });
  const stopped = await reader.subscribe(gone);
  gone.fail(410);
  await reader.refresh(stopped);
  await expect.poll(async () => (await reader.subscriptions()).map((one) => one.feed_status)).toContain('stopped');

  await reader.open(`/feeds/${stopped.feed_id}`);
  await expect(page.locator('main').getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page, 'stopped feed');
  await reader.place('Edo Gazette').getByRole('button', { name: 'More actions for Edo Gazette' }).press('Enter');
  await expect(page.getByRole('menu', { name: 'More actions for Edo Gazette' })).toBeVisible();
  await expectAccessible(page, 'menu of a feed');
  await page.keyboard.press('Escape');
  await page.locator('main').getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('menu', { name: 'More' })).toBeVisible();
  await expectAccessible(page, 'menu of a list');
  await page.keyboard.press('Escape');
  await reader.sidebar.getByRole('button', { name: 'New folder' }).click();
  await expectAccessible(page, 'new folder');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(reader.toast('marked as read')).toBeVisible();
  await expectAccessible(page, 'toast');

  await reader.open(`/?filter=all&edit=${stopped.feed_id}`);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page, 'settings of a stopped feed');
  await reader.open(`/?filter=all&edit=${nights.feed_id}`);
  await expect(page.getByRole('dialog').getByLabel('Title')).toBeVisible();
  await expectAccessible(page, 'feed settings');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('e');
  await expect(page.getByRole('option', { name: 'Edo Gazette' })).toBeVisible();
  await expectAccessible(page, 'command palette');
});

test('adding a feed', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  const dialog = page.getByRole('dialog');
  reader.watch.expect(/status of [45]\d\d/);
  await furnish(reader, origin);
  await reader.open('/?filter=all&add=');
  await expect(dialog.getByLabel('Site or feed address')).toBeFocused();
  await expectAccessible(page, 'add feed');

  const slow = origin.feed({ title: 'Slow' });
  const release = slow.hold();
  await page.keyboard.type(slow.url);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Looking for feeds')).toBeVisible();
  await expectAccessible(page, 'add feed, looking');
  slow.fail(410);
  release();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'add feed, failed');

  const offers = ['Articles', 'Comments'].map((title) => origin.feed({ title }));
  await dialog.getByLabel('Site or feed address').fill(origin.page('/blog', offers));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'Articles' })).toBeFocused();
  await expectAccessible(page, 'add feed, several');
});

test('searching', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  await furnish(reader, origin);
  await reader.open('/search');
  await expectAccessible(page, 'search');
  await page.getByRole('searchbox').fill('clocks');
  await expect(reader.rows).toHaveCount(1);
  await expectAccessible(page, 'search, found');
  await reader.rows.getByRole('button', { expanded: false }).click();
  await expect(page.getByRole('article').getByRole('heading', { level: 3 })).toBeVisible();
  await expectAccessible(page, 'search, opened');
  await page.getByRole('searchbox').fill('qqqq');
  await expect(page.locator('main').getByText('No results')).toBeVisible();
  await expectAccessible(page, 'search, nothing found');
});

test('every section of the settings', async ({ arrive, origin }) => {
  const reader = await arrive({ browser: STILL });
  const { page } = reader;
  reader.watch.expect(/status of 4\d\d/);
  await furnish(reader, origin);
  // Some of the packages: axe takes most of a minute for all of them, and their rows are alike.
  await page.route('**/api/licenses', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.rust.packages = json.rust.packages.filter(({ name }: { name: string }) => name.startsWith('tokio'));
    json.javascript.packages.splice(3);
    await route.fulfill({ response, json });
  });
  for (const section of ['Appearance', 'Keyboard', 'Import & export', 'Account', 'Sign-in', 'About', 'API tokens']) {
    await reader.open('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click();
    await expect(page.getByRole('heading', { level: 2, name: section })).toBeVisible();
    await expect(page.locator('main').getByText('Loading')).toHaveCount(0);
    await expectAccessible(page, `settings, ${section}`);
  }
  await page.getByLabel('What is it for?').fill('Backup');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('Copy it now')).toBeVisible();
  await expectAccessible(page, 'settings, a new token');
  await reader.open('/settings/sign-in');
  await page.getByLabel('Current password', { exact: true }).fill('not this one');
  await page.getByLabel('New password', { exact: true }).fill('paper, ink and a press');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'settings, a wrong password');
  await reader.open('/settings/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete account' })).toBeVisible();
  await expectAccessible(page, 'settings, leaving for good');
  await reader.open('/settings/about');
  await page
    .getByRole('group')
    .filter({ hasText: /^tokio / })
    .locator('summary')
    .click();
  await expect(page.getByText('Copyright (c) Tokio Contributors')).toBeVisible();
  await expectAccessible(page, 'settings, a licence');
});

test('health, a page that is not there, and no connection', async ({ arrive, origin }) => {
  const owner = await arrive({ isOwner: true, browser: STILL });
  const { page } = owner;
  const gone = origin.feed({ title: 'Harbour Notes' });
  const stopped = await owner.subscribe(gone);
  gone.fail(410);
  await owner.refresh(stopped);
  await expect.poll(async () => (await owner.subscriptions()).map((one) => one.feed_status)).toEqual(['stopped']);
  // Fetches are counted every now and then; these are what a day's count looks like.
  await page.route('**/api/admin/activity', (route) => route.fulfill({ json: { hours: aDay() } }));
  await owner.open('/health?status=stopped&jobs=succeeded');
  await expect(page.getByText(gone.url)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Fetches' })).toBeAttached();
  await expectAccessible(page, 'health');
  await owner.open('/no/such/page');
  await expectAccessible(page, 'not found');

  await owner.open('/?filter=all');
  await expect(owner.rows.first()).toBeVisible();
  owner.watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await owner.context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: /offline/i })).toBeVisible();
  await expectAccessible(page, 'offline');

  const member = await arrive({ browser: STILL });
  await member.open('/health');
  await expect(member.page.getByText('Only the owner can see this page')).toBeVisible();
  await expectAccessible(member.page, 'health, for others');
});
