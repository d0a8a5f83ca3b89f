import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { desktop, phone } from '../support/sizes.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

/** A separate card server, because another test may have stopped its own. */
const server = new CardServer();
let server_id = '';
test.beforeAll(async ({ addServer }) => {
  await server.start();
  server_id = await addServer(`Torun ${unique()}`, server);
});
test.afterAll(async ({ admin }) => {
  await server.remove();
  await takeServersBack(admin);
});

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
/** The menu button in the bar at the bottom of a phone's window. */
const menuButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('button', { name: 'More' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

/** Searches for a line and waits until it is highlighted. */
async function find(page: Page, username: string): Promise<void> {
  // Waits until the page listens for keys.
  await expect(page.locator('header [aria-keyshortcuts]')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(username);
  const found = option(page, new RegExp(`^${username}`));
  await expect(found).toHaveAttribute('aria-selected', 'true');
}

/** Moves to an action with the arrow keys and presses Enter. */
async function choose(page: Page, action: string): Promise<void> {
  const wanted = page.getByRole('option', { name: action, exact: true });
  const selected = page.getByRole('option', { selected: true });
  for (let steps = 0; steps < 12; steps++) {
    if ((await wanted.getAttribute('aria-selected')) === 'true') break;
    const before = await selected.getAttribute('data-value');
    await page.keyboard.press('ArrowDown');
    await expect(selected).not.toHaveAttribute('data-value', before ?? '');
  }
  await expect(wanted).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

test('a line that the palette opens takes the focus, also if it is open already', async ({
  page,
  admin,
}) => {
  const { username } = await sellLine(admin, 'opened', { server_id });
  await signIn(page, 'admin', '/');
  const panel = page.getByRole('complementary', { name: `Line ${username}` });
  for (const _ of ['closed', 'open']) {
    await find(page, username);
    await page.keyboard.press('Enter');
    await expect(palette(page)).toHaveCount(0);
    await expect(panel).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panel.locator(':focus')).toHaveCount(1);
  }
});

test('a line is renewed from the palette by the keyboard, on any page', { tag: '@main' }, async ({
  page,
  admin,
}) => {
  const { username } = await sellLine(admin, 'renewed', { server_id });
  await signIn(page, 'admin', '/');
  await find(page, username);
  await expectAccessible(page);
  await choose(page, 'Renew');

  const dialog = page.getByRole('dialog', { name: `Renew ${username}` });
  await expect(dialog.getByRole('radio', { name: /^1 month/ })).toBeFocused();
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`${username} renewed until`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeFocused();
});

test('a line is edited from the palette by the keyboard', async ({ page, admin }) => {
  const { id, username } = await sellLine(admin, 'edited', { server_id });
  await signIn(page, 'admin', '/');
  await find(page, username);
  await choose(page, 'Edit');
  await expect(page).toHaveURL(new RegExp(`line=${id}&part=edit`));
  const panel = page.getByRole('complementary', { name: `Line ${username}` });
  await expect(panel.getByLabel('Username')).toHaveValue(username);
});

test('what a customer needs is copied from the palette', async ({ page, context, admin }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { username } = await sellLine(admin, 'copied', { server_id });
  await signIn(page, 'admin', '/');
  const copied = () => clipboardText(page);

  await find(page, username);
  await choose(page, 'Copy credentials');
  await expect(page.getByText(`Credentials of ${username} copied`)).toBeVisible();
  await expect.poll(copied).toContain(`Username: ${username}\nPassword: tulip-harbor-92-kite`);

  await find(page, username);
  await choose(page, 'Copy password');
  await expect(page.getByText(`Password of ${username} copied`)).toBeVisible();
  await expect.poll(copied).toBe('tulip-harbor-92-kite');
});

test('a trial, and a line that has run out, say so in the palette as in the list', async ({
  page,
  admin,
}) => {
  const noMonths = { server_id, subscription_months: undefined };
  const trial = await sellLine(admin, 'trial', { ...noMonths, is_trial: true });
  const over = await sellLine(admin, 'over', {
    ...noMonths,
    expiry_date: formatDay(addDays(today(ZONE), -3)),
    status: [{ label: 'Active', color: 'success' }],
  });
  await signIn(page, 'admin', '/users/all');
  await find(page, trial.username);
  await expect(option(page, /^trial-/)).toContainText('Trial');
  await page.keyboard.press('Escape');
  await find(page, over.username);
  await expect(option(page, /^over-/)).toContainText('Expired');
});

test('a refused retry says why in the reader’s language and can be tried again', async ({
  page,
  admin,
}) => {
  test.setTimeout(120_000);
  const { id, username } = await sellLine(admin, 'refused', { server_id });
  await server.stop();
  await admin.post(`/api/lines/${id}/renew`, { subscription_months: 1 });

  await signIn(page, 'admin');
  await page.evaluate(() => localStorage.setItem('app-language', 'de'));
  await page.goto('/');
  await find(page, username);
  await choose(page, 'Abgleich wiederholen');
  const result = resultOf(page, username);
  await expect(result).toContainText('weiterhin abgelehnt');
  await expect(result).toContainText('Verbindung abgelehnt');
  await expect(result).not.toContainText('CCcam server:');

  await server.start();
  await result.getByRole('button', { name: 'Abgleich wiederholen' }).click();
  await expect(page.getByText(`${username} ist abgeglichen`)).toBeVisible();
});

test('the palette leads to all shortcuts, by its button and by the key', async ({ page }) => {
  await signIn(page, 'reseller', '/');
  await expect(page.locator('header [aria-keyshortcuts]')).toBeVisible();
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('button', { name: 'all shortcuts' }).click();
  await expect(list).toContainText('Add a line');
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.press('?');
  await expect(list).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('a?');
  await expect(palette(page).getByRole('combobox')).toHaveValue('a?');
});

test('what lies over a page closes when Back changes the page below', async ({ page }) => {
  await signIn(page, 'admin', '/');
  const leadAway = async () => {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Messages', exact: true })
      .click();
    await expect(page).toHaveURL('/messages');
  };
  const overlays: [name: string, open: () => Promise<void>][] = [
    ['Search or jump to', () => page.keyboard.press('Control+k')],
    ['Keyboard shortcuts', () => page.keyboard.press('?')],
    [
      'Notifications',
      () => page.getByRole('button', { name: /Notifications|unread message/ }).click(),
    ],
  ];
  for (const [name, open] of overlays) {
    await leadAway();
    await open();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('it is a page with its field at the thumb, and leads on', async ({ page }) => {
    await signIn(page, 'admin', '/users/all');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const field = palette(page).getByRole('combobox');
    await expect(field).toBeFocused();
    await expect
      .poll(async () => (await field.boundingBox())?.y)
      .toBeGreaterThan(phone.height - 80);
    await expect(page.getByRole('button', { name: 'close' })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    await page.keyboard.type('audit');
    await expect(option(page, /^Audit log/)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/audit');
    await expect(palette(page)).toBeHidden();
  });

  test('it takes the place of the navigation, also by its keys', async ({ page }) => {
    await signIn(page, 'admin', '/users/all');
    await menuButton(page).click();
    await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('the navigation that is opened stays closed once it stood beside the page', async ({
    page,
  }) => {
    await signIn(page, 'admin', '/users/all');
    await menuButton(page).click();
    await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible();
    await page.setViewportSize(desktop);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.setViewportSize(phone);
    await expect(menuButton(page)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('an arrow key that is quicker than the results is obeyed once they are there', async ({
  page,
  admin,
}) => {
  const { username } = await sellLine(admin, 'quick', { server_id });
  await signIn(page, 'admin', '/');
  await expect(page.locator('header [aria-keyshortcuts]')).toBeVisible();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/api/lines?*${username}*`, async (route) => {
    await answered;
    await route.continue();
  });
  const asked = page.waitForRequest(`**/api/lines?*${username}*`);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(username);
  await page.keyboard.press('ArrowDown');
  await asked;
  await page.keyboard.press('ArrowDown');
  answer();
  const actions = page.getByRole('option');
  await expect(option(page, new RegExp(`^${username}`))).toBeVisible();
  await expect(actions.nth(2)).toHaveAttribute('aria-selected', 'true');
});

test('sample pages are offered to administrators only', async ({ page }) => {
  for (const [who, count] of [
    ['reseller', 0],
    ['admin', 3],
  ] as const) {
    await signIn(page, who, '/');
    await expect(page.locator('header [aria-keyshortcuts]')).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('sample');
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /sample/ })
        .or(option(page, /Sample/).first()),
    ).toBeVisible();
    await expect(option(page, /Sample/)).toHaveCount(count);
  }
});
