import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goOffline, goOnline } from '../support/offline.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const UNREACHABLE = 'The panel cannot be reached.';

/** Requests of the page that change data, unlike previews. */
function listenToSent(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isPreview = request.postData()?.includes('"preview":true') ?? false;
    if (request.method() !== 'GET' && !isPreview && pathname.startsWith('/api/'))
      sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}

/** Milliseconds that are longer than the page takes to refetch changed data. */
const AFTER_MS = 3000;

async function expectNothingSentLater(page: Page): Promise<void> {
  const sent = listenToSent(page);
  await goOnline(page);
  await page.waitForTimeout(AFTER_MS);
  expect(sent).toEqual([]);
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a form that is saved without a connection keeps what was typed, and is saved when asked again', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount();
    await signIn(page, account, '/profile/edit');
    await page.getByLabel('Full name').fill('Rui Santos');
    await goOffline(page);
    const save = page.getByRole('button', { name: 'Save changes' });
    await save.click();
    await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
    await expectAccessible(page);
    await expectNothingSentLater(page);
    await expect(page.getByLabel('Full name')).toHaveValue('Rui Santos');
    await save.click();
    await expect(page.getByText('Profile saved')).toBeVisible();
    expect((await (await apiOf(account)).get('/api/me')).full_name).toBe('Rui Santos');
  });

  test('what is asked first is not done without a connection, nor later', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount();
    const owner = await apiOf(account);
    await owner.post('/api/auth/api-keys', { name: 'Nightly' });
    await signIn(page, account, '/profile/edit');
    const revoke = page.getByRole('button', { name: /^Revoke/ });
    await revoke.click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Revoke/ });
    await expect(confirm).toBeVisible();
    await goOffline(page);
    await confirm.click();
    await expect(page.getByText(UNREACHABLE).first()).toBeVisible();
    await expectNothingSentLater(page);
    await expect(revoke).toBeVisible();
    expect((await owner.get('/api/auth/api-keys')).items).toHaveLength(1);
  });

  test('a selection is not renewed without a connection, nor later', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ credits: 20 });
    const seller = await apiOf(account);
    const { username, id } = await sellLine(seller, 'chosen', {});
    const { expiry_date } = await seller.get(`/api/lines/${id}`);
    await signIn(page, account, '/users/all');
    await page.getByRole('checkbox', { name: new RegExp(username) }).check();
    await page.getByRole('button', { name: /^Renew( 1 line)?$/ }).click();
    const dialog = page.getByRole('dialog');
    const order = dialog.getByRole('button', { name: /^Renew 1 line for/ });
    await expect(order).toBeEnabled();
    await goOffline(page);
    await order.click();
    await expect(dialog.getByText(UNREACHABLE)).toBeVisible();
    await expectAccessible(page);
    await expectNothingSentLater(page);
    expect((await seller.get(`/api/lines/${id}`)).expiry_date).toBe(expiry_date);
    expect((await seller.get('/api/me')).credits).toBe(18);
  });

  test('a file that is chosen without a connection says so, and is uploaded when asked again', async ({
    page,
    newAccount,
  }) => {
    const account = await newAccount({ group_id: '3' });
    await signIn(page, account, '/tickets/new');
    await expect(page.getByLabel('Title')).toBeVisible();
    await goOffline(page);
    await page.locator('input[type="file"]').setInputFiles({
      name: 'log.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('cannot connect'),
    });
    await expect(page.getByRole('main').getByText(UNREACHABLE)).toBeVisible();
    await expectNothingSentLater(page);
    await page.getByRole('button', { name: 'Upload log.txt again' }).click();
    await expect(page.getByRole('main').getByText(UNREACHABLE)).toHaveCount(0);
  });
});

test('the file for OSCam says that it needs a connection', async ({ page, reseller }) => {
  const { id, username } = await sellLine(reseller, 'file', {});
  await signIn(page, 'reseller', `/users/${id}?part=receiver`);
  await page.getByText('OSCam reader', { exact: true }).click();
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  const download = page.getByRole('menuitem', { name: 'Download' });
  await expect(download).toBeVisible();
  await goOffline(page);
  await download.click();
  await expect(page.getByText(UNREACHABLE).first()).toBeVisible();
  await expectNothingSentLater(page);
});
