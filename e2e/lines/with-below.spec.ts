import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
const lines = { own: '', trial: '', below: '' };
let seller: Account;

test.beforeAll(async ({ addServer, newAccount }) => {
  await cardServer.start();
  const server_id = await addServer(`Below ${unique()}`, cardServer);
  seller = await newAccount({ full_name: 'Rui Santos', credits: 50 });
  const own = await apiOf(seller);
  const below = { email: `ola-${unique()}@linekeeper.example`, password: 'heron-on-the-lake-9' };
  await own.post('/api/accounts', { ...below, full_name: 'Ola', group_id: '2', credits: 10 });
  const trial = { server_id, is_trial: true, subscription_months: undefined };
  lines.own = (await sellLine(own, 'own', { server_id })).username;
  lines.trial = (await sellLine(own, 'trial', trial)).username;
  lines.below = (await sellLine(await apiOf(below), 'below', { server_id })).username;
});
test.afterAll(() => cardServer.remove());

test('a list has own lines, and with accounts below also theirs, with owner', {
  tag: '@main',
}, async ({ page }) => {
  await signIn(page, seller, '/users/all');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(link(lines.own)).toBeVisible();
  await expect(link(lines.below)).toHaveCount(0);
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('checkbox', { name: 'With accounts below' }).check();
  await page.getByRole('button', { name: 'Show 3 results' }).click();
  await expect(link(lines.below)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeVisible();
  await expect(page).toHaveURL(/below=true/);
  await expectAccessible(page);

  // A renewal of these lines names their owners, and leaves out the trial unless it is chosen.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Renew 3 lines' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('1 line belongs to Ola; you pay.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Renew 2 lines for 4 credits' })).toBeVisible();
  await dialog.getByRole('checkbox', { name: '1 trial' }).check();
  await expect(dialog.getByRole('button', { name: 'Renew 3 lines for 6 credits' })).toBeVisible();
  await expectAccessible(page);
});

test('a search that only accounts below answer leads to their lines', async ({ page }) => {
  await signIn(page, seller, `/users/all?q=${lines.below}`);
  await page.getByRole('link', { name: 'With accounts below' }).click();
  await expect(page.getByRole('link', { name: lines.below, exact: true })).toBeVisible();
});
