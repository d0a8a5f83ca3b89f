import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { accounts } from '../support/people.ts';
import { blockEvents } from '../support/requests.ts';
import { apiOf, signInByForm } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

const card = (page: Page): Locator => page.locator('#sessions');
const rows = (page: Page): Locator => card(page).getByRole('listitem');

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a session elsewhere is seen and revoked, and ends there at once', {
    tag: ['@spec:4.1', '@spec:7.5'],
  }, async ({ page, browser, newAccount }) => {
    const own = await newAccount();
    const other = await (await browser.newContext({ userAgent: PHONE })).newPage();
    await signInByForm(other, own, '/credits');
    await expect(other.getByRole('heading', { level: 1, name: 'Credits' })).toBeVisible();
    await signInByForm(page, own, '/profile/edit');
    await expect(card(page)).toContainText('Active sessions: 2');
    await expect(rows(page).first()).toContainText('This session');
    await expect(rows(page).first()).toContainText('127.0.0.1 · now');
    await expect(rows(page).first().getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
    await expect(page.getByText('Signed out')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expect(card(page)).toContainText('Active sessions: 1');
    await expect(page.getByRole('button', { name: 'Sign out elsewhere' })).toHaveCount(0);
    await expect(other).toHaveURL(/\/sign-in/);
    await other.context().close();
  });
});

test('all others are signed out together, after a question', async ({ page, newAccount }) => {
  const own = await newAccount();
  const others = [await apiOf(own), await apiOf(own)];
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

test('a list that cannot be loaded says so and is tried again', async ({ page, newAccount }) => {
  const own = await newAccount();
  await blockEvents(page);
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
