import type { Page } from '@playwright/test';
import { type AnyScreen, allScreens } from '../../apps/web/src/screens/screens.ts';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { desktop } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const sizeOf = async (part: ReturnType<Page['locator']>) => {
  const { width = 0, height = 0 } = (await part.boundingBox()) ?? {};
  return { width, height };
};

test.describe('on a desktop', () => {
  test('the header is 72 px high, the navigation 280 px wide, an entry 44 px high', {
    tag: ['@spec:2.42', '@spec:2.55', '@spec:2.57', '@spec:9.17'],
  }, async ({ page }) => {
    await signIn(page, 'admin');
    const entry = navigation(page).getByRole('link', { name: 'Dashboard' });
    await expect(entry).toBeVisible();
    expect((await sizeOf(page.getByRole('banner'))).height).toBe(72);
    expect((await sizeOf(navigation(page).locator('../..'))).width).toBe(280);
    expect((await sizeOf(entry)).height).toBe(44);
    const group = navigation(page).getByRole('button', { name: 'CCcam Servers' });
    expect((await sizeOf(group)).height).toBe(44);
  });
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('the header is 64 px high, the navigation a drawer of 320 px', {
    tag: ['@spec:2.42', '@spec:2.56', '@spec:2.57', '@spec:9.17'],
  }, async ({ page }) => {
    await signIn(page, 'reseller');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect((await sizeOf(page.getByRole('banner'))).height).toBe(64);
    await expect(navigation(page)).toBeHidden();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect(navigation(page)).toBeVisible();
    const drawer = page.getByRole('dialog', { name: 'Main' });
    await expect.poll(async () => (await sizeOf(drawer)).width).toBe(320);
    const entry = navigation(page).getByRole('link', { name: 'Today' });
    expect((await sizeOf(entry)).height).toBe(44);
  });
});

test('the navigation has the logo, the own profile, and groups that open and close', {
  tag: '@spec:2.58',
}, async ({ page }) => {
  await signIn(page, 'admin');
  await expect(navigation(page).getByRole('link', { name: 'Linekeeper' })).toHaveAttribute(
    'href',
    '/',
  );
  const group = navigation(page).getByRole('button', { name: 'CCcam Servers' });
  const child = navigation(page).getByRole('link', { name: 'Add server' });
  await expect(child).toBeHidden();
  await group.click();
  await expect(child).toBeVisible();
  await group.click();
  await expect(child).toBeHidden();
  await navigation(page)
    .getByRole('link', { name: /My Profile/ })
    .click();
  await expect(page).toHaveURL('/profile/edit');
});

const forAdmins = ['Manage Resellers', 'Manage Groups', 'CCcam Servers', 'Create Message'];

test('Manage Resellers, Manage Groups, CCcam Servers and Create Message are entries of administrators', {
  tag: '@spec:2.61',
}, async ({ page, browser }) => {
  await signIn(page, 'admin');
  for (const name of forAdmins) {
    await expect(navigation(page).getByText(name, { exact: true })).toBeVisible();
  }
  await navigation(page).getByRole('button', { name: 'CCcam Servers' }).click();
  for (const path of ['manage', 'add']) {
    await expect(navigation(page).locator(`a[href="/cccam-servers/${path}"]`)).toBeVisible();
  }
  const theirs = await (await browser.newContext({ viewport: desktop })).newPage();
  await signIn(theirs, 'reseller');
  await expect(navigation(theirs).getByRole('link', { name: 'Today' })).toBeVisible();
  for (const name of forAdmins) {
    await expect(navigation(theirs).getByText(name, { exact: true })).toHaveCount(0);
  }
  await theirs.context().close();
});

test('the language menu shows a flag for each of the four languages', {
  tag: ['@spec:1.9', '@spec:2.45', '@spec:7.45', '@spec:9.21'],
}, async ({ page }) => {
  await signIn(page, 'user');
  await page.getByRole('button', { name: /^Language/ }).click();
  const items = page.getByRole('menuitemradio');
  await expect(items).toHaveText(['English', 'Deutsch', 'Polski', 'Português']);
  for (const item of await items.all()) await expect(item.locator('svg').first()).toBeVisible();
});

test('the account menu names the account, and leads to profile and settings', {
  tag: ['@spec:2.41', '@spec:2.52', '@spec:2.53', '@spec:3.2'],
}, async ({ page }) => {
  await signIn(page, 'user');
  const menu = page.getByRole('dialog', { name: /account/i });
  for (const [entry, path] of [
    ['Profile', '/profile/edit'],
    ['Settings', '/settings'],
  ] as const) {
    await page.getByRole('button', { name: /^Account/ }).click();
    await expect(menu.getByText('kaethe', { exact: true })).toBeVisible();
    await expect(menu.getByText(accounts.user.email, { exact: true })).toBeVisible();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect(page).toHaveURL(path);
  }
});

test('the panel is light where the system prefers dark', {
  tag: ['@spec:1.10', '@spec:9.28'],
}, async ({ page }) => {
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await signIn(page, 'user');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await background()).toBe(light);
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme()).not.toMatch(/dark/);
});

test('addresses of indexes lead to their pages', {
  tag: [
    '@spec:2.14',
    '@spec:2.18',
    '@spec:2.21',
    '@spec:2.25',
    '@spec:2.28',
    '@spec:2.29',
    '@spec:2.30',
    '@spec:2.31',
  ],
}, async ({ page }) => {
  await signIn(page, 'admin');
  for (const [from, to] of [
    ['/users', '/users/all'],
    ['/payments', '/payments/pricing'],
    ['/groups', '/manage-groups'],
    ['/groups/manage', '/manage-groups'],
    ['/cccam-servers', '/cccam-servers/manage'],
    ['/cccam-servers/check', '/cccam-servers/manage'],
    ['/cccam-servers/test-api', '/cccam-servers/manage'],
    ['/support', '/tickets'],
    ['/support/tickets', '/tickets'],
  ] as const) {
    await page.goto(from);
    await expect(page).toHaveURL((url) => url.pathname === to);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('what stands below a known address and is none leads to /404', { tag: '@spec:2.6' }, async ({
  page,
}) => {
  await signIn(page, 'admin');
  for (const path of [
    '/users/none/at/all',
    '/cccam-servers/none/at/all',
    '/support/none',
    '/payments/none/at/all',
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL((url) => url.pathname === '/404');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
});

test('a visitor is led to /sign-in by every screen of the panel', { tag: '@spec:2.8' }, async ({
  page,
}) => {
  const inside = allScreens.filter(({ access }: AnyScreen) => access !== 'public');
  expect(inside.length).toBeGreaterThan(30);
  for (const { path } of inside) {
    await page.goto(path.replace('$id', '1'));
    await expect(page).toHaveURL((url) => url.pathname === '/sign-in');
  }
});

test('the account is kept under a key of this host, and asked for every 30 seconds', {
  tag: ['@spec:9.26', '@spec:9.27'],
}, async ({ page }) => {
  await page.clock.install();
  await signIn(page, 'user');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const { host } = new URL(page.url());
  const kept = await page.evaluate(
    (key) => localStorage.getItem(key),
    `linekeeper:${host}:account`,
  );
  expect(JSON.parse(kept ?? 'null')).toMatchObject({ email: accounts.user.email });
  for (let round = 1; round <= 2; round++) {
    const asked = page.waitForRequest('**/api/me');
    await page.clock.fastForward(31_000);
    await asked;
  }
});
