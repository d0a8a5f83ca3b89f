import type { Page } from '@playwright/test';
import { CardServer } from '../support/card-server.ts';
import { clipboardText, shownCredits } from '../support/page.ts';
import { loseReply } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
let serverName = '';

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  serverName = `Sale ${cardServer.port}`;
  await addServer(serverName, cardServer);
});
test.afterAll(() => cardServer.remove());

async function fillLine(page: Page, username: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
  await page.getByRole('radio', { name: /^1 month/ }).check();
  await page.getByLabel('Server').click();
  await page.getByRole('option', { name: serverName }).click();
}

test('a reseller sells a line; another browser shows it by itself', {
  tag: ['@spec:1.3', '@spec:4.14'],
}, async ({ page, browser }) => {
  const username = `sold-${unique()}`;
  const other = await browser.newPage();
  await signIn(other, 'admin', '/users/all');
  await expect(other.getByRole('rowheader').first()).toBeVisible();

  await signIn(page, 'reseller', '/users/add');
  const before = await shownCredits(page);
  await fillLine(page, username);
  await expect(page.getByText('Balance after')).toBeVisible();
  await page.getByRole('button', { name: 'Create line for 2 credits' }).click();

  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expect(other.getByRole('rowheader', { name: username })).toBeVisible();
  await expect(page.getByText('tulip-harbor-92-kite').first()).toBeVisible();
  await expect.poll(() => shownCredits(page)).toBe(before - 2);
  expect(await cardServer.read('CCcam.cfg')).toContain(`F: ${username} tulip-harbor-92-kite`);
  expect(await cardServer.read('oscam.user')).toContain(username);
  await other.close();
});

test('the credentials card is copied whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const username = `copied-${unique()}`;
  await signIn(page, 'reseller', '/users/add');
  await fillLine(page, username);
  await page.getByRole('button', { name: /^Create line for/ }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect
    .poll(() => clipboardText(page))
    .toMatch(new RegExp(`${username}[\\s\\S]*tulip-harbor-92-kite[\\s\\S]*12000`));
});

test('while the card server is away the line is kept, marked, and delivered on its return', {
  tag: '@spec:4.12',
}, async ({ page }) => {
  const username = `away-${unique()}`;
  await signIn(page, 'reseller', '/users/add');
  const before = await shownCredits(page);
  await fillLine(page, username);
  await cardServer.stop();
  await page.getByRole('button', { name: /^Create line for/ }).click();
  await expect(
    page.getByText(
      'User was added to database but could not be added to CCcam server: connection refused',
    ),
  ).toBeVisible();
  await expect.poll(() => shownCredits(page)).toBe(before - 2);
  // Not saved, because other tests use the same account.
  await page.route('**/api/me/settings', (route) => route.abort());
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Polski' }).click();
  await expect(page.getByText(/nie udało się dodać jej na serwerze CCcam/)).toBeVisible();
  await page.evaluate(() => localStorage.setItem('app-language', 'en'));
  await page.unroute('**/api/me/settings');

  await page.goto(`/users/all?q=${username}`);
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(row.getByText('Pending')).toBeVisible();
  await cardServer.start();
  await expect(row.getByText('Pending')).toHaveCount(0);
  expect(await cardServer.read('CCcam.cfg')).toContain(`F: ${username} `);
  expect(await shownCredits(page)).toBe(before - 2);
});

test('a wrong sale says why and keeps what was typed', { tag: ['@spec:5.5', '@spec:5.6'] }, async ({
  page,
}) => {
  await signIn(page, 'reseller', '/users/add');
  const name = page.getByRole('textbox', { name: 'Username' });
  await expect(name).toHaveValue(/-\d{4}$/);
  await name.fill('');
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(page.getByText('Username and password are required').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();

  await fillLine(page, 'h.grossmann');
  await page.getByLabel('Notes').fill('Second room');
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(
    page.getByText('Username already exists. Please choose a different username.').first(),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('h.grossmann');
  await expect(page.locator('input[name="password"]')).toHaveValue('tulip-harbor-92-kite');
  await expect(page.getByLabel('Notes')).toHaveValue('Second room');
});

test('a balance that no longer suffices is said in numbers', { tag: '@spec:8.19' }, async ({
  page,
  newAccount,
  admin,
}) => {
  const poor = await newAccount({ credits: 2 });
  await signIn(page, poor, '/users/add');
  await fillLine(page, `poor-${unique()}`);
  // The page does not get this change.
  await page.route('**/api/me', () => {});
  await page.route('**/api/events*', () => {});
  await admin.post(`/api/accounts/${poor.id}/credits/take-back`, { amount: 1 });
  await page.getByRole('button', { name: 'Create line for 2 credits' }).click();
  await expect(page.getByText('Insufficient credits. Required: 2, Available: 1')).toBeVisible();
});

test('durations that cannot be paid are grey, and credits are one step away', async ({
  page,
  newAccount,
}) => {
  const poor = await newAccount({ credits: 5 });
  await signIn(page, poor, '/users/add');
  const months = (count: string) =>
    page.getByRole('radio', { name: new RegExp(`^${count} month`) });
  await expect(months('3')).toBeEnabled();
  await expect(months('6')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Create line for 2 credits' })).toBeVisible();

  const broke = await newAccount({ credits: 1 });
  await signIn(page, broke, '/users/add');
  await expect(months('1')).toBeDisabled();
  await expect(page.getByRole('button', { name: /^Create line/ })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Top Up Credits' }).click();
  await expect(page).toHaveURL(/\/payments\/pricing/);
});

test('by the keyboard a sale is n, the name and Enter, for as long as the last one', async ({
  page,
  newAccount,
}) => {
  const seller = await newAccount({ credits: 50 });
  await signIn(page, seller, '/users/add');
  const name = page.getByRole('textbox', { name: 'Username' });
  await expect(name).toBeFocused();
  await expect(page.getByRole('radio', { name: /^1 month/ })).toBeChecked();
  await page.getByRole('radio', { name: /^3 months/ }).check();
  await name.fill(`first-${unique()}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(name).toHaveValue(/-\d{4}$/);
  // The proposed name is selected, so typing replaces it.
  const typed = `second-${unique()}`;
  await page.keyboard.type(typed);
  await expect(name).toHaveValue(typed);
  await expect(page.getByRole('radio', { name: /^3 months/ })).toBeChecked();
  // The choice stays after a reload, and in another browser.
  await page.reload();
  await expect(page.getByRole('radio', { name: /^3 months/ })).toBeChecked();
});

test('names are proposed by prefix and number, and after a taken one the next', async ({
  page,
  newAccount,
  admin,
}) => {
  const seller = await newAccount({ credits: 50 });
  const prefix = `p${unique().slice(-8)}-`;
  await admin.post('/api/lines', {
    username: `${prefix}0001`,
    password: 'tulip-harbor-92-kite',
    subscription_months: 1,
  });
  await signIn(page, seller, '/settings');
  const field = page.getByLabel('Prefix of new usernames');
  await field.fill(prefix);
  // Loading another page immediately would abort the request that saves the choice.
  const saved = page.waitForResponse(
    (reply) => reply.request().method() === 'PATCH' && reply.url().endsWith('/api/me/settings'),
  );
  await field.press('Enter');
  await expect(page.getByText('Setting saved')).toBeVisible();
  await saved;
  await page.goto('/users/add');
  const name = page.getByRole('textbox', { name: 'Username' });
  await expect(name).toHaveValue(`${prefix}0001`);
  await expect(page.getByText('Username already exists.')).toBeVisible();
  await page.getByRole('button', { name: 'Use the next number' }).click();
  await expect(name).toHaveValue(`${prefix}0002`);
  await expect(page.getByText('This username is available.')).toBeVisible();
});

test('an untouched form may be left without a question', async ({ page }) => {
  await signIn(page, 'reseller', '/users/add');
  await page.reload();
  await expect(page.getByLabel('Server')).toContainText('newest active');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible();
});

test('the balance line says what the button says, before the panel has answered', async ({
  page,
}) => {
  await signIn(page, 'reseller', '/users/add');
  await page.route('**/api/lines/quote', () => {});
  await page.getByRole('radio', { name: /^3 months/ }).check();
  await expect(page.getByRole('button', { name: 'Create line for 4 credits' })).toBeVisible();
  await expect(page.getByText('This line').locator('..')).toContainText('4');
});

test('a sale whose reply was lost is paid once, and the reason stands below the header', async ({
  page,
}) => {
  const username = `lost-${unique()}`;
  await signIn(page, 'reseller', '/users/add');
  await fillLine(page, username);
  const before = await shownCredits(page);
  await loseReply(page, '**/api/lines');
  await page.getByRole('button', { name: 'Create line for 2 credits' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toBeVisible();
  const header = await page.getByRole('banner').boundingBox();
  await expect
    .poll(async () => (await alert.boundingBox())?.y)
    .toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await page.getByRole('button', { name: 'Create line for 2 credits' }).click();
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expect.poll(() => shownCredits(page)).toBe(before - 2);
});
