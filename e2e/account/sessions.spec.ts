import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts } from '../support/people.ts';
import { signInByForm } from '../support/sign-in.ts';
import { unique } from '../support/unique.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

/** An account of its own, so that no other test loses its session. */
async function newAccount() {
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  const own = { email: `sessions-${unique()}@linekeeper.example`, password: 'heron-by-the-sea-4' };
  await admin.post('/api/accounts', { ...own, group_id: '2' });
  return own;
}

const card = (page: Page): Locator => page.locator('#sessions');
const rows = (page: Page): Locator => card(page).getByRole('listitem');

for (const { name, ...viewport } of [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
]) {
  test.describe(`on a ${name}`, () => {
    test.use({ viewport });

    test('a session elsewhere is seen and revoked, and ends there at once', async ({
      page,
      browser,
    }) => {
      const own = await newAccount();
      const other = await (await browser.newContext({ userAgent: PHONE })).newPage();
      await signInByForm(other, own, '/credits');
      await expect(other.getByRole('heading', { level: 1, name: 'Credits' })).toBeVisible();
      await signInByForm(page, own, '/profile/edit');
      await expect(card(page)).toContainText('2 active sessions');
      await expect(rows(page).first()).toContainText('This session');
      await expect(rows(page).first()).toContainText('127.0.0.1 · now');
      await expect(rows(page).first().getByRole('button')).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
      await expect(page.getByText('Signed out')).toBeVisible();
      await expect(rows(page)).toHaveCount(1);
      await expect(card(page)).toContainText('1 active session');
      await expect(page.getByRole('button', { name: 'Sign out elsewhere' })).toHaveCount(0);
      await expect(other).toHaveURL(/\/sign-in/);
      await other.context().close();
    });
  });
}

test('all others are signed out together, after a question', async ({ page }) => {
  const own = await newAccount();
  const others = [await new Api(panelUrl).signIn(own), await new Api(panelUrl).signIn(own)];
  await signInByForm(page, own, '/profile/edit');
  await expect(rows(page)).toHaveCount(3);
  const elsewhere = page.getByRole('button', { name: 'Sign out elsewhere' });
  await elsewhere.click();
  const question = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(3);
  await elsewhere.click();
  await question.getByRole('button', { name: 'Sign out elsewhere' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  for (const other of others) {
    await expect(other.get('/api/me')).rejects.toThrow('NO_AUTHENTICATED_USER');
  }
});

test('a list that cannot be loaded says so and is tried again', async ({ page }) => {
  const own = await newAccount();
  await page.route('**/api/auth/sessions', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'broken', data: {} } }),
  );
  await signInByForm(page, own, '/profile/edit');
  await expect(card(page).getByRole('alert')).toBeVisible();
  await page.unroute('**/api/auth/sessions');
  await card(page).getByRole('button', { name: 'Retry' }).click();
  await expect(rows(page)).toHaveCount(1);
});

for (const next of ['reseller', 'user'] as const) {
  test(`a tab that another one signed out goes on once that signs in again, as ${next}`, async ({
    page,
    context,
  }) => {
    const account = (tab: Page, who: 'reseller' | 'user') =>
      tab.getByRole('button', { name: `Account: ${accounts[who].full_name}` });
    await signInByForm(page, 'reseller');
    const waiting = await context.newPage();
    await waiting.goto('/profile/edit#sessions');
    await expect(account(waiting, 'reseller')).toBeVisible();
    await account(page, 'reseller').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(waiting).toHaveURL(/\/sign-in\?to=/);
    await expect(waiting.getByRole('button', { name: 'Sign in' })).toBeVisible();

    await signInByForm(page, next);
    await expect(waiting).toHaveURL('/profile/edit#sessions');
    await expect(waiting.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
    await expect(account(waiting, next)).toBeVisible();
    await expect(waiting.getByText(accounts[next].email).first()).toBeVisible();
    if (next !== 'reseller') {
      await expect(waiting.getByText(accounts.reseller.email)).toHaveCount(0);
      await expect(account(waiting, 'reseller')).toHaveCount(0);
    }
  });
}
