import { expectAccessible } from '../support/accessible.ts';
import { rowOf } from '../support/page.ts';
import { panelUrl } from '../support/panel.ts';
import { blockEvents } from '../support/requests.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// One worker for the file, so that its package is made once.
test.describe.configure({ mode: 'default' });

const stamp = unique();
const offer = { name: `Offer ${stamp}`, credits: 1234, price_minor: 123_400, currency: 'EUR' };
let package_id: string;

test.beforeAll(async ({ admin }) => {
  package_id = (await admin.post('/api/packages', offer)).package.id;
  await admin.patch('/api/settings', { bank_details: 'Lines Ltd' });
});
test.afterAll(({ admin }) => admin.delete(`/api/packages/${package_id}`));

async function order(account: { email: string; password: string }) {
  const buyer = await apiOf(account);
  return buyer.post('/api/topups', { package_id, note: 'From 21-11' });
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a package is bought by transfer, and its number is the reference', {
    tag: '@spec:2.19',
  }, async ({ page, admin, newAccount }) => {
    await admin.patch('/api/settings', {
      bank_details: 'Lines Ltd\nDE02 1203 0000 0000 2020 51',
    });
    await signIn(page, await newAccount({ group_id: '3' }), '/payments');
    await expect(page).toHaveURL(/\/payments\/pricing$/);
    await page.getByRole('button', { name: 'Buy 1,234 credits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy 1,234 credits' });
    await expect(dialog.getByRole('button', { name: 'Pay €1,234.00 by card' })).toBeVisible();
    await dialog.getByRole('radio', { name: 'Bank transfer' }).check();
    await dialog.getByLabel('Note').fill('Sent on 21-11');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Order for €1,234.00' }).click();
    const done = page.getByRole('dialog', { name: /^Top-up LK-\d+ ordered$/ });
    await expect(done.getByText('Transfer €1,234.00')).toBeVisible();
    await expect(done.getByText('DE02 1203 0000 0000 2020 51')).toBeVisible();
    await expectAccessible(page);
    await done.getByRole('button', { name: 'View top-ups' }).click();
    await expect(rowOf(page, 'Sent on 21-11')).toContainText('Pending');
    const row = rowOf(page, 'Sent on 21-11');
    await expect(row).toContainText('€1,234.00');
    await row.getByRole('button', { name: /^Bank details: LK-/ }).click();
    const details = page.getByRole('dialog', { name: /^Top-up LK-\d+ ordered$/ });
    await expect(details.getByText('Lines Ltd')).toBeVisible();
    await expectAccessible(page);
    await details.getByRole('button', { name: 'Close' }).click();
    await expect(details).toBeHidden();
  });

  test('a package is bought by card at Stripe, and its receipt is printed', {
    tag: '@main',
  }, async ({ page, newAccount }) => {
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    const account = await newAccount({ group_id: '3' });
    await signIn(page, account, '/payments/pricing');
    await page.getByRole('button', { name: 'Buy 1,234 credits' }).click();
    await page.getByRole('button', { name: 'Pay €1,234.00 by card' }).click();
    await expect(page).toHaveTitle('Pay eur 123400');
    // A buyer who goes back without paying finds the top-up in the list.
    await page.goto(`${panelUrl}/payments/top-ups`);
    await expect(rowOf(page, 'LK-')).toContainText('Not paid');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Pay now/ }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page).toHaveURL(/\/payments\/top-ups$/);
    await expect(rowOf(page, 'LK-')).toContainText('Approved');
    await expect(page.getByRole('banner').getByText('1,234')).toBeVisible();
    await page.getByRole('button', { name: /^Receipt LK-/ }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await expect(receipt.getByText('By card payment')).toBeVisible();
    await expect(receipt.getByText(account.email).first()).toBeVisible();
    await expectAccessible(page);
    // The print command of the browser prints the same as the button: the receipt and nothing around it.
    for (const isPressed of [false, true]) {
      if (isPressed) await receipt.getByRole('button', { name: 'Print' }).click();
      await expect(page.locator('body[data-printed]')).toHaveCount(isPressed ? 1 : 0);
      await page.emulateMedia({ media: 'print' });
      const paper = page.locator('body > :visible');
      await expect(paper).toHaveCount(1);
      await expect(paper.locator('h1')).toHaveText('Linekeeper');
      await expect(paper.locator('h2')).toHaveText(/^Receipt LK-/);
      await expect(paper).toContainText(account.email);
      await page.emulateMedia({ media: null });
    }
    await receipt.getByRole('button', { name: 'Close' }).click();
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('body > :visible').first()).toContainText('Approved');
  });

  test('an administrator approves and declines what waits', { tag: '@spec:1.5' }, async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    const [first, second] = [await order(account), await order(account)];
    await signIn(page, 'admin', `/payments/top-ups?q=${account.email}`);
    await expectAccessible(page);
    const approve = rowOf(page, first.number).getByRole('button', { name: /^Approve/ });
    await approve.click();
    await expect(rowOf(page, first.number)).toContainText('Approved');
    await rowOf(page, second.number)
      .getByRole('button', { name: /^Decline/ })
      .click();
    const form = page.getByRole('form', { name: `Decline top-up ${second.number}` });
    await form.getByRole('button', { name: 'Decline top-up' }).click();
    await expect(form.getByLabel('Reason for declining')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Reason for declining').fill('It was €25.00 short');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Decline top-up' }).click();
    await expect(rowOf(page, second.number)).toContainText('Declined');
    await expect(rowOf(page, second.number)).toContainText('It was €25.00 short');
  });

  test('the queue opens on what is pending; what was approved stays with its receipt', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    const ordered = await order(account);
    const cardOrder = await apiOf(account);
    const unpaid = await cardOrder.post('/api/topups', { package_id, method: 'card' });
    await signIn(page, 'admin', '/payments/top-ups');
    await expect(page).toHaveURL(/status=pending&method=transfer$/);
    const pending = page.getByRole('link', { name: /^Pending/ });
    await expect(pending).toHaveAttribute('data-current', 'true');
    const card = rowOf(page, ordered.number);
    await expect(card).toContainText('Balance 0 · ordered this minute');
    await expect(card).toContainText('+1,234 credits');
    await expect(card).toContainText('Note From 21-11');
    await expect(rowOf(page, unpaid.number)).toHaveCount(0);
    await card.getByRole('button', { name: /^Decline/ }).click();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Approve 1,234 credits' }).click();
    await expect(card).toContainText('approved this minute');
    await card.getByRole('button', { name: `Receipt ${ordered.number}` }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await expect(receipt.getByText('1,234 credits', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await receipt.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: /^All/ }).click();
    await expect(rowOf(page, unpaid.number)).toContainText('Not paid');
    await expect(rowOf(page, ordered.number)).toContainText('Approved');
    await page.getByLabel('Search number, note or name').fill(account.email);
    await expect(page.locator('main li')).toHaveCount(2);
    await expectAccessible(page);
  });

  test('whoever paid twice reads it in the list and on the receipt', async ({
    page,
    admin,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    const buyer = await apiOf(account);
    const ordered = await buyer.post('/api/topups', { package_id, method: 'card' });
    await signIn(page, account, '/payments/top-ups');
    await page.getByRole('button', { name: /^Pay now/ }).click();
    await expect(page).toHaveTitle('Pay eur 123400');
    // Its session ends when the top-up is approved, and is paid nevertheless.
    await admin.post(`/api/topups/${ordered.id}/approve`);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page).toHaveURL(/\/payments\/top-ups$/);
    const row = rowOf(page, ordered.number);
    await expect(row).toContainText('Paid again after approval');
    await expect(row).toContainText('Paid, no credits added: €1,234.00');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Receipt LK-/ }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await expect(receipt).toContainText('Paid, no credits added: €1,234.00');
  });

  test('an own order is withdrawn, and approved all the same when its money comes', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    const ordered = await order(account);
    await signIn(page, account, '/payments/top-ups');
    const row = rowOf(page, ordered.number);
    await row.getByRole('button', { name: `Withdraw: ${ordered.number}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(row).toContainText('Withdrawn');
    await expect(row.getByRole('button', { name: /^Withdraw/ })).toHaveCount(0);
    await expectAccessible(page);
    await page.context().clearCookies();
    await signIn(page, 'admin', `/payments/top-ups?q=${ordered.number}`);
    const card = rowOf(page, ordered.number);
    await expect(card).toContainText('withdrawn this minute');
    await card.getByRole('button', { name: /^Approve/ }).click();
    const question = page.getByRole('dialog', {
      name: `Approve ${ordered.number}, 1,234 credits?`,
    });
    await expect(question).toContainText('The order was withdrawn.');
    await question.getByRole('button', { name: 'Approve' }).click();
    await expect(card).toContainText('approved this minute');
  });

  test('credits by hand and an open order are shown to each other', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    const ordered = await order(account);
    await signIn(page, 'admin', `/resellers?q=${account.email}`);
    await page.getByRole('button', { name: `Add credits to ${account.email}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Credits' });
    await expect(dialog).toContainText(`Open order ${ordered.number}: 1,234 credits for €1,234.00`);
    await expectAccessible(page);
    await dialog.getByLabel('Amount').fill('1234');
    await dialog.getByRole('button', { name: 'Add 1,234 credits' }).click();
    await expect(dialog).toBeHidden();
    await page.goto(`/payments/top-ups?q=${ordered.number}`);
    const card = rowOf(page, ordered.number);
    await expect(card).toContainText('Added manually since 1,234 credits');
    await expectAccessible(page);
    await card.getByRole('button', { name: /^Approve/ }).click();
    const question = page.getByRole('dialog', { name: /^Approve LK-/ });
    await expect(question).toContainText('1,234 credits manually since this order');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(card.getByRole('button', { name: /^Approve/ })).toBeVisible();
    await expect(card).toContainText('ordered');
  });

  test('where nobody would be paid nothing is bought, and all are led on', async ({
    page,
    newAccount,
  }) => {
    let offers: object[] = [];
    await page.route('**/api/packages', async (route) => {
      const reply = await route.fetch();
      const json = { ...(await reply.json()), card_payments: false, bank_details: '' };
      offers = json.items;
      await route.fulfill({ response: reply, json });
    });
    await signIn(page, await newAccount({ group_id: '3' }), '/payments/pricing');
    await expect(page.getByText('No way to pay yet').first()).toBeVisible();
    const buy = page.getByRole('button', { name: 'Buy 1,234 credits' });
    await expect(buy).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible(page);
    expect(offers.length).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Ask for credits' }).click();
    await expect(page.getByLabel('Title')).toHaveValue('I would like to buy credits');
    await page.context().clearCookies();
    await signIn(page, 'admin', '/payments/pricing');
    await expect(page.getByText('no way to pay is set up')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Enter bank details' }).click();
    await expect(page.getByLabel('Bank details')).toBeInViewport();
  });

  test('without a package it can be asked for', async ({ page, newAccount }) => {
    await page.route('**/api/packages', (route) =>
      route.fulfill({ json: { items: [], card_payments: false, bank_details: '' } }),
    );
    await signIn(page, await newAccount({ group_id: '3' }), '/payments/pricing');
    await expect(page.getByText('No packages yet')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Ask for credits' }).click();
    await expect(page).toHaveURL(/\/tickets\/new/);
  });

  test('packages are added, changed, turned off and deleted', async ({ page }) => {
    const title = `Extra ${stamp}`;
    await signIn(page, 'admin', '/payments/pricing');
    await page.getByRole('button', { name: 'Add package' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add package' });
    await dialog.getByLabel('Name').fill(title);
    await dialog.getByLabel('Credits').fill('77');
    await dialog.getByLabel('Price').fill('12.345');
    await dialog.getByRole('button', { name: 'Add package' }).click();
    await expect(dialog.getByLabel('Price')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Price').fill('12,50');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add package' }).click();
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: title });
    await expect(card).toContainText('€12.50');
    const menu = card.getByRole('button', { name: `More actions for ${title}` });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: `Edit ${title}` });
    await expect(edit.getByLabel('Price')).toHaveValue('12.50');
    await edit.getByLabel('Price').fill('15');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(card).toContainText('€15.00');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await expect(card).toContainText('Off');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete package' }).click();
    await expect(card).toHaveCount(0);
  });
});

test('the credits menu leads to buying more, and what is approved elsewhere is seen at once', {
  tag: ['@spec:1.2', '@spec:2.44'],
}, async ({ page, admin, newAccount }) => {
  const account = await newAccount({ group_id: '3' });
  const ordered = await order(account);
  await signIn(page, account);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Credits$/ })
    .click();
  await page.getByRole('menuitem', { name: 'Top Up Credits' }).click();
  await expect(page).toHaveURL(/\/payments\/pricing$/);
  await page.goto('/payments/top-ups');
  await expect(rowOf(page, ordered.number)).toContainText('Pending');
  await admin.post(`/api/topups/${ordered.id}/approve`);
  await expect(rowOf(page, ordered.number)).toContainText('Approved');
  await expect(page.getByRole('banner').getByText('1,234')).toBeVisible();
});

test('a price list that cannot be had says so and can be asked for again', async ({ page }) => {
  await signIn(page, 'reseller');
  await blockEvents(page);
  await page.route('**/api/packages', (route) => route.abort());
  await page.goto('/payments/pricing');
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await page.unroute('**/api/packages');
  await retry.click();
  await expect(page.getByRole('button', { name: 'Buy 50 credits' })).toBeVisible();
});
