import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText, openFields } from '../support/page.ts';
import { accounts } from '../support/people.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
let serverName = '';
let server_id = '';
let seller: Api;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, reseller }) => {
  await cardServer.start();
  serverName = `Series ${cardServer.port}`;
  seller = reseller;
  server_id = await addServer(serverName, cardServer);
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

const sell = (name: string) => sellLine(seller, name, { server_id });

const username = (page: Page) => page.getByRole('textbox', { name: 'Username' });
const password = (page: Page) => page.locator('input[name="password"]');
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

test('lines are sold one after the other with the hands on the keyboard', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, 'reseller', '/users/all');
  await expect(page.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(username(page)).toBeFocused();
  await expect(password(page)).toHaveValue(/^[a-z-]+\d\d-[a-z]+$/);
  const first = await password(page).inputValue();

  const names = ['one', 'two', 'three'].map((name) => `row-${name}-${unique()}`);
  await page.keyboard.type(names[0] ?? '');
  await page.getByRole('radio', { name: /^3 months/ }).check();
  await page.getByLabel('Server').click();
  await page.getByRole('option', { name: serverName }).click();
  await page.getByRole('button', { name: 'Create line for 4 credits' }).click();
  await page.getByRole('button', { name: 'Copy C line' }).click();
  await expect.poll(() => clipboardText(page)).toBe(`C: 127.0.0.1 12000 ${names[0]} ${first}`);
  await expectAccessible(page);

  for (const [index, again] of [
    () => page.getByRole('button', { name: 'Create another' }).click(),
    () => page.keyboard.press('n'),
  ].entries()) {
    await again();
    await expect(username(page)).toBeFocused();
    await expect(username(page)).toHaveValue(/-\d{4}$/);
    await expect(page.getByRole('radio', { name: /^3 months/ })).toBeChecked();
    await expect(page.getByLabel('Server')).toContainText(serverName);
    expect(await password(page).inputValue()).not.toBe(first);
    await page.keyboard.type(names[index + 1] ?? '');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Line created' })).toBeFocused();
  }
  const file = await cardServer.read('CCcam.cfg');
  for (const name of names) expect(file).toContain(`F: ${name} `);

  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.goto(`/users/all?q=${names[0]}`);
  await page.getByRole('link', { name: names[0] ?? '', exact: true }).click();
  await page.getByRole('link', { name: 'Receiver', exact: true }).click();
  await page.getByRole('button', { name: 'Copy C line' }).click();
  await expect.poll(() => clipboardText(page)).toBe(`C: 127.0.0.1 12000 ${names[0]} ${first}`);
});

test('a name says at once whether it is free, and what in it cannot be', async ({ page }) => {
  await signIn(page, 'reseller', '/users/add');
  await username(page).fill('h.grossmann');
  const taken = page.getByText('Username already exists. Please choose a different username.');
  await expect(taken).toBeVisible();
  await expect(username(page)).toHaveAttribute('aria-invalid', 'true');
  await username(page).fill(`free-${unique()}`);
  await expect(page.getByText('This username is available.')).toBeVisible();
  await expect(taken).toHaveCount(0);
  await username(page).fill('brace{');
  await username(page).blur();
  await expect(page.getByText('a character that card servers do not accept: {')).toBeVisible();
  await username(page).fill('two words');
  await expect(
    page.getByText('a character that card servers do not accept: a space'),
  ).toBeVisible();
});

test("the edited line's own name does not count as taken", async ({ page }) => {
  const { id } = await sell('own');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await username(page).fill('h.grossmann');
  await expect(page.getByText(/^Username already exists/)).toBeVisible();
  await page.getByLabel('Notes').fill('x');
  await page.keyboard.press('Tab');
  const own = await page.getByRole('heading', { level: 1 }).innerText();
  await username(page).fill(own);
  await expect(page.getByText(/^Username already exists/)).toHaveCount(0);
});

test('pressing the button twice sends one sale', async ({ page }) => {
  await signIn(page, 'reseller', '/users/add');
  let sent = 0;
  await page.route('**/api/lines', (route) => {
    sent += route.request().method() === 'POST' ? 1 : 0;
    return route.continue();
  });
  await username(page).fill(`double-${unique()}`);
  await page.getByRole('radio', { name: /^1 month/ }).check();
  const create = page.getByRole('button', { name: 'Create line for 2 credits' });
  await create.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  expect(sent).toBe(1);
});

test('a page with unsaved input asks before it is left, and keeps what was typed', {
  tag: '@main',
}, async ({ page }) => {
  const { id } = await sell('guarded');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await page.getByLabel('Notes').fill('not saved yet');
  await page.getByRole('link', { name: 'Today' }).click();
  await question(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByLabel('Notes')).toHaveValue('not saved yet');
  await page.getByRole('link', { name: 'Today' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/');
});

test('a session that ends under a form asks for the password and keeps what was typed', async ({
  page,
}) => {
  const name = `kept-${unique()}`;
  await signIn(page, 'reseller', '/users/add');
  await username(page).fill(name);
  // The name has been checked, so the next request is the sale.
  const isFree = page.getByText('This username is available.');
  await expect(isFree).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole('button', { name: /^Create line for/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toContainText(accounts.reseller.email);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Stay here' }).click();
  await dialog.locator('input[name="password"]').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Invalid email or password');
  await dialog.locator('input[name="password"]').fill(accounts.reseller.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(username(page)).toHaveValue(name);
  await page.getByRole('button', { name: /^Create line for/ }).click();
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();

  await page.getByRole('button', { name: 'Create another' }).click();
  await username(page).fill(`${name}-left`);
  await expect(isFree).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole('button', { name: /^Create line for/ }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/sign-in\?to=/);
});

test('a form that stays open after saving is guarded again', async ({ page, newAccount }) => {
  const own = await newAccount();
  await signIn(page, own, '/profile/edit');
  await page.getByLabel('Full name').fill('Anna Kite');
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByText(/saved/i).first()).toBeVisible();
  await page.getByLabel('Full name').fill('Anna Kestrel');
  await page.getByRole('link', { name: 'Today' }).click();
  await expect(question(page)).toBeVisible();
});

test('a dialog with unsaved input asks before it is closed', async ({ page }) => {
  await signIn(page, 'admin', '/users/all?q=probe-0419');
  await page.getByRole('button', { name: 'More actions for probe-0419' }).click();
  await page.getByRole('menuitem', { name: 'Move' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move probe-0419' });
  await dialog.getByLabel('Owner').fill('tom@');
  await page.getByRole('option', { name: accounts.admin.email }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(dialog.getByLabel('Owner')).toHaveValue(accounts.admin.email);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('sign-in begins in Email, and may be left without a word', async ({ page }) => {
  await page.goto('/sign-in');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/sign-up');
});

test('Enter after a wrong password leaves the cursor where it is', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('nobody@linekeeper.example');
  await password(page).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  await expect(password(page)).toBeFocused();
});

test('a line that is edited can be saved, and is renewed beside it', {
  tag: ['@main', '@both'],
}, async ({ page }) => {
  const { id, username: name } = await sell('edit');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toBeInViewport({ ratio: 1 });
  await openFields(page, 'Host, port, protocol');
  await expect(page.getByLabel('Info', { exact: true })).toHaveValue('');
  await page.getByLabel('Protocol').click();
  await page.getByRole('option', { name: 'NewCamd' }).click();
  await openFields(page, 'Rarely used fields');
  await page.getByLabel('Live channel').fill('Sport');
  await expect(save).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText(`${name} saved`)).toBeVisible();
  const line = await seller.get(`/api/lines/${id}`);
  expect(line).toMatchObject({ protocol: 'newcamd', live_channel: 'Sport', info: 'Info' });
});

test('one renewal and many begin with the same duration', async ({ page }) => {
  await signIn(page, 'reseller', '/users/all?q=probe-0419');
  await page.getByRole('button', { name: 'Renew probe-0419' }).click();
  await expect(page.getByRole('dialog').getByRole('radio', { name: /^1 month/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select probe-0419' }).check();
  await page.getByRole('button', { name: 'Renew 1 line' }).click();
  await expect(page.getByRole('dialog').getByRole('radio', { name: /^1 month/ })).toBeChecked();
});

test.describe('on the smallest phone, in German', () => {
  test.use({ viewport: smallPhone });
  test('what a renewal costs fits its button', async ({ page }) => {
    await signIn(page, 'reseller', '/users/all?q=probe-0419');
    await page.evaluate(() => localStorage.setItem('app-language', 'de'));
    await page.reload();
    await page.getByRole('link', { name: 'probe-0419', exact: true }).click();
    await page.getByRole('button', { name: 'Andere Laufzeit' }).click();
    await page.getByRole('radio', { name: /^12 Monate/ }).check();
    const button = page.getByRole('button', { name: 'Für 10 Credits verlängern' });
    await expect(button).toBeInViewport({ ratio: 1 });
    const isCut = await button.evaluate((one) => one.scrollWidth > one.clientWidth);
    expect(isCut).toBe(false);
    await expectAccessible(page);
  });
});
