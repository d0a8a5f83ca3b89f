import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { rowOf } from '../support/page.ts';
import { accounts } from '../support/people.ts';
import { blockEvents } from '../support/requests.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const label = `Fair ${stamp}`;
// One worker for the file, so that its codes are created once.
test.describe.configure({ mode: 'default' });

interface Code {
  id: string;
  code: string;
}

const newCode = async (admin: Api, body: object): Promise<Code> =>
  (await admin.post('/api/redeem-codes', body)).codes[0];

test.beforeAll(async ({ admin }) => {
  const over = await newCode(admin, { credits: 10, description: label });
  await admin.patch(`/api/redeem-codes/${over.id}`, { expires_at: '2020-01-31' });
  await newCode(admin, { credits: 30, description: label, is_active: false });
  await newCode(admin, { credits: 20, description: label, max_uses: 5, expires_at: '2050-01-31' });
});

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a code is redeemed, refused a second time, and both are in the history', {
    tag: '@spec:8.23',
  }, async ({ page, admin, newAccount }) => {
    const { code } = await newCode(admin, { credits: 1250, max_uses: 2 });
    await signIn(page, await newAccount({ group_id: '3' }), '/redeem-code');
    await expect(page.getByRole('heading', { name: 'No codes redeemed yet' })).toBeVisible();
    await expectAccessible(page);
    const redeem = page.getByRole('button', { name: 'Redeem code' });
    await redeem.click();
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await page.getByRole('textbox', { name: 'Code' }).fill(`  ${code.toLowerCase()} `);
    await redeem.click();
    await expect(page.getByText('1,250 credits added')).toBeVisible();
    await expect(page.getByRole('banner').getByText('1,250')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('');
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Code already redeemed by this user')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue(code);
    const rows = rowOf(page, code);
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText('Error');
    await expect(rows.last()).toContainText('+1,250');
    await expectAccessible(page);
  });

  test('codes are found by search and view, and sorted', async ({ page }) => {
    await signIn(page, 'admin', `/redeem-codes?q=${encodeURIComponent(label)}&sort=credits`);
    const credits = page.locator('main').locator('tbody tr, li').filter({ hasText: label });
    await expect(credits).toHaveText([/10/, /20/, /30/]);
    await expectAccessible(page);
    await page.getByRole('link', { name: /^Expired/ }).click();
    await page.getByRole('searchbox').fill(label);
    await expect(credits).toHaveText([/10/]);
    await page.goto(`/redeem-codes?q=${stamp}-nothing`);
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  });

  test('many codes are created at once, saved and printed', { tag: '@main' }, async ({ page }) => {
    const batch = `Batch ${stamp}`;
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await signIn(page, 'admin', '/redeem-codes');
    await page.getByRole('link', { name: 'Create codes' }).click();
    const create = page.getByRole('button', { name: 'Create codes' });
    await create.click();
    await expect(page.getByText('Credits must be greater than 0')).toBeVisible();
    await page.getByLabel('Credits per code').fill('25');
    await page.getByLabel('Number of codes').fill('1001');
    await page.getByLabel('Credits per code').focus();
    await expect(page.getByText('Enter 1,000 or less').first()).toBeVisible();
    await page.getByLabel('Number of codes').fill('some');
    await expect(page.getByText('Enter a whole number').first()).toBeVisible();
    await page.getByLabel('Number of codes').fill('12');
    await expect(page.getByLabel('Custom code')).toHaveCount(0);
    await page.getByLabel('Label').fill(batch);
    await page.getByLabel('Uses per code').fill('3');
    await page.getByLabel('Expires on').fill('31-12-2050');
    await page.getByLabel('Time').fill('25:00');
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.getByLabel('Time')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Time').fill('18:30');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.getByRole('heading', { name: 'Codes created: 12' })).toBeFocused();
    await expect(page.getByRole('heading', { level: 1, name: 'Create codes' })).toBeInViewport();
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await readFile(await (await saving).path(), 'utf8');
    expect(file.trim().split('\r\n')).toHaveLength(13);
    const end = await page.evaluate(() => new Date(2050, 11, 31, 18, 30).toISOString());
    expect(file).toContain(`"${end}"`);
    await page.getByRole('button', { name: 'Print sheet' }).click();
    await expect(page.locator('body')).toHaveAttribute('data-printed', '');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Valid until 31 Dec 2050 6:30 pm')).toHaveCount(12);
    await expect(page.getByText('Valid until').first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Create codes' })).toBeHidden();
    await page.emulateMedia({ media: null });
    await page.getByRole('link', { name: 'Back to codes' }).click();
    await page.getByRole('searchbox').fill(batch);
    await expect(page).toHaveURL(/[?&]q=Batch/);
    await expect(rowOf(page, batch)).toHaveCount(12);
    const all = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const list = await readFile(await (await all).path(), 'utf8');
    expect(list.trim().split('\r\n')).toHaveLength(13);
  });

  test('a code is switched off and on, changed and deleted', async ({ page, isPhone, admin }) => {
    const { code } = await newCode(admin, { credits: 5, code: `OWN-${stamp}` });
    await signIn(page, 'admin', `/redeem-codes?q=${code}`);
    const menu = page.getByRole('button', { name: `More actions for ${code}` });
    // On a phone the button is on the card.
    const turn = async (text: string) => {
      if (!isPhone) await menu.click();
      await page.getByRole(isPhone ? 'button' : 'menuitem', { name: text }).click();
    };
    await turn('Turn off');
    await expect(rowOf(page, code)).toContainText('Off');
    await turn('Turn on');
    await expect(rowOf(page, code)).toContainText('Active');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${code}` });
    await dialog.getByLabel('Label').fill('Changed');
    await dialog.getByLabel('Uses per code').fill('0');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog.getByLabel('Uses per code')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Uses per code').fill('7');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(rowOf(page, code)).toContainText('0 / 7');
    await expect(rowOf(page, code)).toContainText('Changed');
    const seller = await apiOf('reseller');
    await seller.post('/api/redeem', { code });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Redemptions' }).click();
    const history = page.getByRole('dialog', { name: `Redemptions of code ${code}` });
    await expect(history.getByText(accounts.reseller.email)).toBeVisible();
    await expect(history.getByText('Success')).toBeVisible();
    await expectAccessible(page);
    await history.getByRole('button', { name: 'Close' }).click();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    // The dialog shows a failure, and the second attempt has the key of the first.
    const keys: (string | undefined)[] = [];
    await page.route('**/api/redeem-codes/*', (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      return keys.length === 1 ? route.abort() : route.fallback();
    });
    const question = page.getByRole('dialog', { name: `Delete ${code}?` });
    await question.getByRole('button', { name: 'Delete code' }).click();
    await expect(question.getByRole('alert')).toContainText('The panel cannot be reached');
    await question.getByRole('button', { name: 'Delete code' }).click();
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    expect(keys[1]).toBe(keys[0]);
  });

  test('a history that cannot be had says so and can be asked for again', async ({ page }) => {
    await signIn(page, 'reseller');
    await blockEvents(page);
    await page.route('**/api/redeem/history*', (route) => route.abort());
    await page.goto('/redeem-code');
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
    await expect(retry).toBeVisible();
    await page.unroute('**/api/redeem/history*');
    await retry.click();
    await expect(retry).toHaveCount(0);
  });
});

test('what is redeemed elsewhere is seen at once', async ({ page, admin, newAccount }) => {
  const account = await newAccount({ group_id: '3', credits: 5 });
  const { code } = await newCode(admin, { credits: 40 });
  await signIn(page, account, '/redeem-code');
  await expect(page.getByRole('banner').getByText('5 Credits', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No codes redeemed yet' })).toBeVisible();
  const elsewhere = await apiOf(account);
  await elsewhere.post('/api/redeem', { code });
  await expect(page.getByRole('banner').getByText('45')).toBeVisible();
  await expect(rowOf(page, code)).toContainText('+40');
});

test('the credits menu leads to redeeming', { tag: '@spec:2.43' }, async ({ page }) => {
  await signIn(page, 'reseller');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Credits$/ })
    .click();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Redeem Code' }).click();
  await expect(page).toHaveURL(/\/redeem-code$/);
});
