import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

/** A seller, an account below it, and the two lines that the latter has sold. */
interface Shop {
  seller: Account;
  below: Account & { api: Api };
}

let shop: Shop;

test.beforeEach(async ({ admin, newAccount }) => {
  const seller = await newAccount({ credits: 200 });
  const own = {
    email: `ewa-${unique()}@limits.example`,
    full_name: 'Ewa Nowak',
    password: seller.password,
  };
  const { account } = await (await apiOf(seller)).post('/api/accounts', {
    ...own,
    group_id: '2',
    credits: 40,
  });
  const api = await apiOf(own);
  await sellLine(api, 'first');
  const { id } = await sellLine(api, 'second');
  await admin.patch(`/api/lines/${id}`, { expiry_date: '01-02-2026' });
  shop = { seller, below: { ...own, id: account.id, api } };
});

const limitsPage = ({ below }: Shop) => `/accounts/${below.id}?tab=limits`;
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('a seller sets limits by keyboard; the account reads them, asks for more, and sells again', {
  tag: ['@both', '@main'],
}, async ({ page, isPhone }) => {
  const { seller, below } = shop;
  await signIn(page, seller, limitsPage(shop));
  await expect(field(page, 'Lines')).toHaveValue('');
  await field(page, 'Lines').focus();
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Accounts below')).toBeFocused();
  await page.keyboard.type('0');
  await expect(page.getByText('Lines: No limit › 2 · Accounts below: No limit › 0')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ewa Nowak saved')).toBeVisible();
  await expect(page.getByText('2 of 2', { exact: true })).toBeVisible();
  await expect(page.getByText('0 left. Ewa Nowak was notified when 2 were in use.')).toBeVisible();
  await expectAccessible(page);

  await signIn(page, below, '/users/add');
  await expect(page.getByText('You have 2 of 2 lines')).toBeVisible();
  await expect(
    page.getByText('Delete lines that you no longer need, or ask for more.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Create line/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show 1 expired line' }).click();
  await expect(page).toHaveURL(/\/users\/all\?.*status=expired/);
  await page.goBack();
  await page.getByRole('link', { name: 'Ask for more lines' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('I would like to have more lines');

  await page.goto('/accounts/add');
  await expect(page.getByText('You have 0 of 0 accounts')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add account' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Ask for more accounts' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('I would like to have more accounts');

  await (await apiOf(seller)).put(`/api/accounts/${below.id}/limits`, { lines: 3 });
  await page.goto('/users/add');
  await field(page, 'Username').fill(`third-${unique()}`);
  if (!isPhone) await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
  await page.getByRole('radio', { name: /^1 month/ }).check();
  await page.getByRole('button', { name: 'Create line for 2 credits' }).click();
  await expect(
    page.getByRole('heading', { name: /^Line (created|delivered|saved)/ }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Create another' }).click();
  await expect(page.getByText('You have 3 of 3 lines')).toBeVisible();
});

test('what the panel refuses is said at its field, and what is not saved is kept or discarded', {
  tag: '@both',
}, async ({ page, isPhone }) => {
  await signIn(page, shop.seller, limitsPage(shop));
  await field(page, 'Trials this month').fill('many');
  await field(page, 'Sells until').fill('31-13-2026');
  await page.getByRole('button', { name: 'Save limits' }).click();
  for (const name of ['Trials this month', 'Sells until']) {
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByRole('link', { name: 'Overview' }).click();
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(field(page, 'Sells until')).toHaveValue('31-13-2026');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(field(page, 'Sells until')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Save limits' })).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Longest duration' }).click();
  await page.getByRole('option', { name: '12 months' }).click();
  await page.getByRole('switch', { name: 'May delete lines' }).uncheck();
  await field(page, 'Sells until').fill('31-12-2020');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('Ewa Nowak saved')).toBeVisible();
  await page.reload();
  await expect(field(page, 'Sells until')).toHaveValue('31-12-2020');
  await expect(page.getByRole('switch', { name: 'May delete lines' })).not.toBeChecked();

  await signIn(page, shop.below, '/users/add');
  await expect(page.getByText('This account could sell until 31-12-2020.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^24 months/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Create line/ })).toHaveCount(0);
  await expectAccessible(page);

  const { items } = await shop.below.api.get('/api/lines?status=active');
  await page.goto(`/users/${items[0].id}`);
  await expect(page.getByText('This account could sell until 31-12-2020.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Renew .*for/ })).toHaveCount(0);
  await expectAccessible(page);
  if (isPhone) return;
  await page.goto('/users/all');
  await page.getByRole('button', { name: `Renew ${items[0].username}` }).click();
  const popover = page.getByRole('dialog', { name: `Renew ${items[0].username}` });
  await expect(popover.getByText('This account could sell until 31-12-2020.')).toBeVisible();
  await expect(popover.getByRole('button', { name: 'Renew', exact: true })).toBeDisabled();
});

test('nobody sets limits of the own account', async ({ page }) => {
  await signIn(page, shop.below, limitsPage(shop));
  await expect(page.getByRole('link', { name: 'Overview' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('link', { name: 'Limits' })).toHaveCount(0);
});

for (const language of ['de', 'pl', 'pt']) {
  test.describe(() => {
    test.use({ viewport: smallPhone });
    test(`limits have their place on a small phone in ${language}`, async ({ page }) => {
      await page.addInitScript((code) => localStorage.setItem('app-language', code), language);
      await signIn(page, shop.seller, limitsPage(shop));
      await page.locator('input[name="lines"]').fill('2');
      await expect(page.locator('[data-sticky]')).toBeVisible();
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    });
  });
}
