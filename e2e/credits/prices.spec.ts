import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const PATH = '/payments/plans';
const firstTerms = firstPrices.map(({ months, cost }) => ({
  months,
  credits: cost,
  is_offered: true,
}));

// The panel's prices are shared by all tests of the worker.
test.afterEach(async ({ admin }) => {
  await admin.patch(`/api/plans/${STANDARD_PLAN}`, { terms: firstTerms });
  await admin.patch('/api/settings', { trial_limit: 5, trial_days: 2 });
});

const termsOf = (page: Page) =>
  page
    .getByLabel(/^Duration: /)
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
const save = (page: Page) => page.getByRole('button', { name: 'Save prices' });

/** The terms of a new line with their prices. */
const offeredTo = (page: Page) => page.getByRole('group', { name: 'Duration' });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('an administrator changes, hides, adds and orders prices, and sellers pay them', {
    tag: '@main',
  }, async ({ page, browser, admin, newAccount }) => {
    await signIn(page, 'admin', PATH);
    await page.getByLabel('Price: 6 months').fill('7');
    await expect(page.getByText(/^6 months: 6 . 7 credits$/)).toBeVisible();
    await page.getByRole('switch', { name: '24 months shown' }).uncheck();
    await page.getByRole('button', { name: 'Add a duration' }).click();
    await page.getByLabel('Duration: New duration').fill('2');
    await page.getByLabel('Price: 2 months').fill('3');
    await page.getByRole('button', { name: 'Move 2 months' }).press('ArrowUp');
    await expect(page.getByText('2 months: place 5 of 6')).toBeAttached();
    await expect(page.getByRole('button', { name: 'Move 2 months' })).toBeFocused();
    await page.getByRole('button', { name: 'Delete 3 months' }).click();
    await expect(page.getByText('4 changes')).toBeVisible();
    await expectAccessible(page);
    await save(page).click();
    await expect(resultOf(page, 'Prices saved')).toBeVisible();
    await expect(save(page)).toHaveCount(0);
    const { items } = await admin.get('/api/plans');
    expect(items[0].terms).toEqual([
      { months: 1, credits: 2, is_offered: true },
      { months: 6, credits: 7, is_offered: true },
      { months: 12, credits: 10, is_offered: true },
      { months: 2, credits: 3, is_offered: true },
      { months: 24, credits: 15, is_offered: false },
    ]);
    const context = await browser.newContext();
    const seller = await context.newPage();
    await signIn(seller, await newAccount({ credits: 100 }), '/payments/pricing');
    await expect(seller.getByRole('row', { name: /^2 months 3 / })).toBeVisible();
    await expect(seller.getByRole('row', { name: /^24 months/ })).toHaveCount(0);
    await seller.goto('/users/add');
    await expect(offeredTo(seller).getByText('7 credits')).toBeVisible();
    await context.close();
  });

  test('a price list changes what an account below pays, and says why', async ({
    page,
    admin,
    newAccount,
  }) => {
    const [seller, child] = [await newAccount(), await newAccount({ full_name: 'Ewa Nowak' })];
    await admin.patch(`/api/accounts/${child.id}`, { owner_id: seller.id });
    const name = `Shops ${unique()}`;
    await signIn(page, seller, PATH);
    await expect(page.getByRole('link', { name: /^Price lists/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Prices', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Add price list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('textbox', { name: 'Factor' }).fill('0,9');
    await dialog.getByRole('button', { name: 'Add price list' }).click();
    await expect(dialog.getByText('Enter 1 or more')).toBeVisible();
    await dialog.getByText('Custom prices').click();
    await dialog.getByLabel('12 months').fill('9');
    await dialog.getByRole('button', { name: 'Add price list' }).click();
    await expect(dialog.getByText('You pay 10 credits for this yourself')).toBeVisible();
    await expect(dialog.getByLabel('12 months')).toBeFocused();
    await expectAccessible(page);
    await dialog.getByLabel('12 months').fill('13');
    await dialog.getByRole('button', { name: 'Add price list' }).click();
    const card = page.getByRole('region', { name, exact: true });
    await expect(card.getByRole('listitem').filter({ hasText: '12 months' })).toHaveText(/13$/);
    const api = await apiOf(seller);
    const [list] = (await api.get('/api/price-lists')).items;
    await api.patch(`/api/accounts/${child.id}`, { price_list_id: list.id });
    await page.reload();
    await expect(card.getByText('1 account')).toBeVisible();
    await page.getByLabel('Account', { exact: true }).fill(child.email);
    await page.getByRole('option', { name: child.email }).click();
    await expect(
      page.getByText(`Ewa Nowak pays 13 credits for 12 months, because of the list ${name}.`),
    ).toBeVisible();
    await page.getByRole('button', { name: /^1 month/ }).click();
    await expect(page.getByText(/^Ewa Nowak pays 2 credits for 1 month/)).toBeVisible();
    await expectAccessible(page);
    await card.getByRole('button', { name: `Delete ${name}` }).click();
    const question = page.getByRole('dialog', { name: `Delete ${name}?` });
    await question.getByRole('button', { name: 'Delete price list' }).click();
    await expect(question.getByText('This price list is in use by 1 account')).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await api.patch(`/api/accounts/${child.id}`, { price_list_id: null });
    await card.getByRole('button', { name: `Delete ${name}` }).click();
    await question.getByRole('button', { name: 'Delete price list' }).click();
    await expect(page.getByText('No price lists yet')).toBeVisible();
  });
});

test('rows are dragged by their grips, and a discarded order is the old one', async ({ page }) => {
  await signIn(page, 'admin', PATH);
  const grip = page.getByRole('button', { name: 'Move 1 month with' });
  const { x = 0, y = 0 } = (await grip.boundingBox()) ?? {};
  await page.mouse.move(x + 10, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 10, y + 140, { steps: 8 });
  await page.mouse.up();
  expect(await termsOf(page)).toEqual(['3', '6', '1', '12', '24']);
  await expect(page.getByText('1 month: place 3 of 5')).toBeAttached();
  await expect(page.getByText('New order')).toBeVisible();
  await page.getByRole('link', { name: 'Price lists' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await termsOf(page)).toEqual(['1', '3', '6', '12', '24']);
  await expect(save(page)).toHaveCount(0);
});

test('wrong prices are said at their fields, also by the panel', async ({ page }) => {
  await signIn(page, 'admin', PATH);
  await page.getByLabel('Price: 6 months').fill('0');
  await page.getByLabel('Price: 6 months').press('Enter');
  await expect(page.getByText('Enter 1 or more')).toBeVisible();
  await page.getByLabel('Price: 6 months').fill('6');
  await page.getByLabel('Duration: 12 months').fill('6');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This duration is already in the list')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.route('**/api/plans/*', (route) =>
    route.fulfill({
      status: 422,
      json: {
        code: 'VALIDATION_FAILED',
        message: 'Check the marked fields',
        fields: { 'terms.2.credits': 'Enter 1000000 or less' },
        data: { field_codes: { 'terms.2.credits': 'NUMBER_TOO_LARGE' }, maximum: 1_000_000 },
      },
    }),
  );
  await page.getByLabel('Price: 6 months').fill('7');
  await save(page).click();
  await expect(page.getByLabel('Price: 6 months')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Enter 1,000,000 or less')).toBeVisible();
});

test('trials are switched off and on again, and last as long as is said here', async ({
  page,
  admin,
}) => {
  await admin.patch('/api/settings', { trial_limit: 12 });
  await signIn(page, 'admin', PATH);
  const trials = page.getByRole('switch', { name: 'Sellers can create trials' });
  await trials.uncheck();
  await page.getByLabel('A trial lasts').fill('3');
  await expect(page.getByText('2 changes')).toBeVisible();
  await save(page).click();
  await expect(resultOf(page, 'Prices saved')).toBeVisible();
  const stored = async () => {
    const { trial_limit, trial_days } = await admin.get('/api/settings');
    return { trial_limit, trial_days };
  };
  expect(await stored()).toEqual({ trial_limit: 0, trial_days: 3 });
  await trials.check();
  await expect(page.getByText('Trials: on')).toBeVisible();
  await save(page).click();
  await expect(save(page)).toHaveCount(0);
  expect(await stored()).toEqual({ trial_limit: 12, trial_days: 3 });
  await page.getByRole('link', { name: 'Set how many in the settings' }).click();
  await expect(page.getByLabel('Active per account')).toBeInViewport();
  await page.getByRole('link', { name: 'How long a trial lasts' }).click();
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test('a list of the panel is made by an administrator, who reaches the page from the prices', async ({
  page,
  admin,
  newAccount,
}) => {
  const [name, account] = [`Partners ${unique()}`, await newAccount({ full_name: 'Ola Zając' })];
  await signIn(page, 'admin', '/payments/pricing');
  await page.getByRole('link', { name: 'Edit prices' }).click();
  await page.getByRole('link', { name: /^Price lists/ }).click();
  await page.getByRole('button', { name: 'Add price list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('textbox', { name: 'Factor' }).fill('0,9');
  await dialog.getByRole('button', { name: 'Add price list' }).click();
  await expect(page.getByRole('region', { name, exact: true }).getByText('× 0.9')).toBeVisible();
  const { items } = await admin.get('/api/price-lists');
  const { id } = items.find((list: { name: string }) => list.name === name);
  await admin.patch(`/api/accounts/${account.id}`, { price_list_id: id });
  await page.getByLabel('Account', { exact: true }).fill(account.email);
  await page.getByRole('option', { name: account.email }).click();
  await expect(
    page.getByText(`Ola Zając pays 9 credits for 12 months, because of the list ${name}.`),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Prices', exact: true }).click();
  await expect(page.getByRole('link', { name: `${name}: Open` })).toBeVisible();
  await admin.patch(`/api/accounts/${account.id}`, { price_list_id: null });
  await admin.delete(`/api/price-lists/${id}`);
});

test('beside the prices are five lists and the way to all of them', async ({ page, admin }) => {
  const made: string[] = [];
  for (let count = 0; count < 6; count++) {
    const list = { name: `Shops ${unique()}`, factor: 0.9 };
    made.push((await admin.post('/api/price-lists', list)).price_list.id);
  }
  const { items } = await admin.get('/api/price-lists');
  await signIn(page, 'admin', PATH);
  await expect(page.getByRole('heading', { name: 'Who pays different prices' })).toBeVisible();
  await expect(page.getByRole('link', { name: /: Open$/ })).toHaveCount(5);
  await page.getByRole('link', { name: `Price lists: ${items.length}`, exact: true }).click();
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(items.length);
  for (const id of made) await admin.delete(`/api/price-lists/${id}`);
});

test('an account that may sell nothing of what is on sale reads why', {
  tag: '@both',
}, async ({ page, admin, newAccount }) => {
  const seller = await newAccount({ credits: 40 });
  await admin.put(`/api/accounts/${seller.id}/limits`, { max_months: 2 });
  await admin.patch(`/api/plans/${STANDARD_PLAN}`, { terms: firstTerms.slice(1) });
  await signIn(page, seller, '/users/add');
  await expect(
    page.getByText('All durations offered are longer than your limit of 2 months.'),
  ).toBeVisible();
  await expect(page.getByRole('radio', { name: /^\d+ months?/ })).toHaveCount(0);
  await expectAccessible(page);
});
