import type { Page } from '@playwright/test';
import { formatDay } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const password = 'heron-on-the-lake-9';
const seller = { email: `ewa-${stamp}@credits.example`, full_name: 'Ewa Nowak' };
const line = `salon-${stamp}`;
const note = `Na start ${stamp}`;
let id: string;
let lineId: string;
let expiry: string;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const { account } = await admin.post('/api/accounts', { ...seller, password, group_id: '2' });
  id = account.id;
  await admin.post(`/api/accounts/${id}/credits`, { amount: 60, note });
  const api = await apiOf({ email: seller.email, password });
  for (const username of [line, `other-${stamp}`]) {
    const sold = await api.post('/api/lines', {
      username,
      password: 'pw',
      subscription_months: 12,
    });
    if (username !== line) continue;
    lineId = sold.line.id;
    expiry = sold.line.expiry_date;
  }
});

const openAll = (page: Page, search = '') =>
  signIn(page, 'admin', `/credits?account=${id}${search}`);

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a row names kind, line, note, parties, actor and balance', async ({ page }) => {
    await openAll(page);
    const sale = rowOf(page, line);
    await expect(sale).toContainText('Sale');
    await expect(sale).toContainText(`12 months, until ${formatDay(expiry)}`);
    await expect(sale).toContainText('−10');
    await expect(sale).toContainText('50');
    await expect(sale).toContainText('From Ewa Nowak');
    const given = rowOf(page, note);
    await expect(given).toContainText('+60');
    await expect(given).toContainText('From New credits');
    await expectAccessible(page);
    await sale.getByRole('link', { name: line }).click();
    await expect(page).toHaveURL(new RegExp(`line=${lineId}|/users/${lineId}`));
  });

  test('a reseller is told what is not their own name', async ({ page }) => {
    await signIn(page, { email: seller.email, password }, '/credits');
    await expect(rowOf(page, note)).toContainText('+60');
    await expect(rowOf(page, line)).toContainText('−10');
    await expect(page.getByRole('main')).not.toContainText(/Ewa Nowak|Another account/);
    await expectAccessible(page);
  });

  test('transfers are found by search, kind and days', async ({ page }) => {
    await openAll(page);
    await page.getByRole('searchbox').fill(note);
    await expect(rowOf(page, note)).toHaveCount(1);
    await expect(rowOf(page, line)).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await panel.getByRole('checkbox', { name: 'Sale' }).check();
    await panel.getByLabel('First day').fill('01-02-2026');
    await expectAccessible(page);
    await panel.getByRole('button', { name: /^Show 2 results/ }).click();
    await expect(page.getByText('First day 01-02-2026')).toBeVisible();
    await expect(rowOf(page, stamp)).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove First day 01-02-2026' }).click();
    await expect(page).not.toHaveURL(/from=/);
  });

  test('what is shown is downloaded with one click', async ({ page }) => {
    await openAll(page, '&kind=sale');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^credits-\d{4}-\d\d-\d\d\.csv$/);
  });
});

test('a sale is refunded once, with what it does said before', { tag: '@main' }, async ({
  page,
}) => {
  await openAll(page);
  await rowOf(page, line)
    .getByRole('button', { name: `Refund ${line}` })
    .click();
  const dialog = page.getByRole('dialog', { name: `Refund ${line}` });
  await expect(dialog.getByText('Balance before').locator('xpath=..')).toContainText('40');
  await expect(dialog.getByText('Balance after').locator('xpath=..')).toContainText('50 credits');
  await dialog.getByLabel('Reason').fill('Created twice');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Refund 10 credits' }).click();
  await expect(page.getByText('10 credits refunded to Ewa Nowak')).toBeVisible();
  const refund = rowOf(page, 'Created twice');
  await expect(refund).toContainText('+10');
  await expect(refund).toContainText(/For the sale on \d\d? \w{3} \d{4}/);
  await expect(refund).toContainText(`12 months, until ${formatDay(expiry)}`);
  const sale = rowOf(page, line).filter({ hasText: 'Sale' }).filter({ hasText: '−10' });
  await expect(sale.getByText('Refunded', { exact: true })).toBeVisible();
  await expect(rowOf(page, `other-${stamp}`).getByText('Refunded', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Refund ${line}` })).toHaveCount(0);
});

test('the story of a line has its sale, its delivery and its refund', async ({ page }) => {
  await signIn(page, 'admin', `/users/${lineId}`);
  const deeds = page.getByRole('region', { name: 'History' }).getByRole('listitem');
  await expect(deeds.filter({ hasText: 'You refunded 10 credits' })).toContainText('today');
  const sold = deeds.filter({ hasText: 'Ewa Nowak sold it for 12 months, 10 credits' });
  await expect(sold).toContainText(`until ${formatDay(expiry)}`);
  await expect(page.getByText('Synced to')).toHaveCount(0);
  await expectAccessible(page);
});

test('a redeemed code is named in its row', async ({ page, admin }) => {
  const { codes } = await admin.post('/api/redeem-codes', { credits: 7 });
  const api = await apiOf({ email: seller.email, password });
  await api.post('/api/redeem', { code: codes[0].code });
  await signIn(page, { email: seller.email, password }, '/credits?kind=redeem');
  await expect(rowOf(page, codes[0].code)).toContainText('Redeemed code');
  await expect(rowOf(page, codes[0].code)).toContainText('+7');
});

test('renewals of one click are one row, which opens', { tag: '@both' }, async ({
  page,
  newAccount,
  admin,
}) => {
  const account = await newAccount();
  await admin.post(`/api/accounts/${account.id}/credits`, { amount: 200 });
  const api = await apiOf(account);
  const ids: string[] = [];
  const stem = unique();
  for (let nth = 0; nth < 27; nth++) {
    const username = `${stem}-${nth}`;
    const sold = await api.post('/api/lines', { username, password: 'pw', subscription_months: 1 });
    ids.push(sold.line.id);
  }
  const { job } = await api.post('/api/lines/bulk', {
    ...{ action: 'renew', ids, subscription_months: 1 },
  });
  await expect.poll(async () => (await api.get(`/api/jobs/${job.id}`)).state).toBe('done');
  for (const [who, to] of [
    [account, '/credits'],
    ['admin', `/accounts/${account.id}?tab=credits`],
    ['admin', `/credits?account=${account.id}`],
  ] as const) {
    await signIn(page, who, to);
    const row = rowOf(page, '27 renewals');
    await expect(row).toContainText('−54');
    await expect(row).toContainText('92');
    await row.getByRole('button', { name: /^27 renewals/ }).click();
    const opened = page.getByRole('list', { name: /^27 renewals/ }).getByRole('listitem');
    await expect(opened).toHaveCount(25);
    await expect(opened.first()).toContainText('Balance 144');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(opened).toHaveCount(27);
    await expect(opened.last()).toContainText('Balance 92');
    await expectAccessible(page);
  }
  // The last list is an administrator's, who refunds one of the payments.
  await page.getByRole('button', { name: `Refund ${stem}-0`, exact: true }).click();
  await page.getByRole('button', { name: 'Refund 2 credits' }).click();
  await expect(rowOf(page, 'Refund').first()).toContainText('+2');
  await expect(page.getByRole('button', { name: `Refund ${stem}-0`, exact: true })).toHaveCount(0);
});

test('an account without movements is told so', async ({ page }) => {
  await signIn(page, 'user', '/credits');
  await expect(page.getByRole('heading', { name: 'No transfers yet' })).toBeVisible();
  await expectAccessible(page);
});
