import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { OFFLINE, waitUntilBuildIsStored } from '../support/offline.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

interface Reseller {
  account: Account;
  seller: Api;
  username: string;
  lineId: string;
}

const test = base.extend<{ newReseller: () => Promise<Reseller> }>({
  /** A reseller with one line, whose name nobody else has. */
  newReseller: ({ newAccount }, use) =>
    use(async () => {
      const account = await newAccount({ full_name: 'Rui Santos', credits: 50 });
      const seller = await apiOf(account);
      const { id, username } = await sellLine(seller, 'kept', {});
      return { account, seller, username, lineId: id };
    }),
});

test.use({ serviceWorkers: 'allow' });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a page that is opened without a connection says so, and comes back by itself', {
    tag: '@main',
  }, async ({ page, context, newReseller }) => {
    const { account, username } = await newReseller();
    await signIn(page, account, '/users/all');
    await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
    await waitUntilBuildIsStored(page);

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect(page.getByText(username)).toHaveCount(0);
    await expectAccessible(page);

    // The code of pages that were never opened is stored too.
    await page.goto('/tickets');
    await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible();
    await page.goto('/users/all');
    await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByText(OFFLINE)).toHaveCount(0);
    await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
  });
});

test('lists that an earlier version kept in the browser are deleted', async ({ page }) => {
  const names = () =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  // A page without scripts.
  await page.goto('/favicon.svg');
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opened = indexedDB.open(`linekeeper:${location.host}:lists`);
        opened.onsuccess = () => {
          opened.result.close();
          resolve();
        };
      }),
  );
  expect(await names()).toHaveLength(1);
  await page.goto('/sign-in');
  await expect.poll(names).toEqual([]);
});

test('what costs credits is refused at once without a connection, and not sent later', async ({
  page,
  context,
  newReseller,
}) => {
  const { account, seller, username, lineId } = await newReseller();
  await signIn(page, account, '/users/all');
  await waitUntilBuildIsStored(page);
  const before = await seller.get(`/api/lines/${lineId}`);
  await page.getByRole('button', { name: `Renew ${username}` }).click();
  const popover = page.getByRole('dialog', { name: `Renew ${username}` });
  const renew = popover.getByRole('button', { name: /^Renew for/ });
  await expect(renew).toBeEnabled();
  await context.setOffline(true);
  await renew.press('Enter');
  await expect(popover.getByText(/connection|cannot be reached/i).first()).toBeVisible();

  await page.goto('/users/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(`never-${unique()}`);
  await page.getByLabel('Notes').fill('typed notes');
  await page
    .getByRole('button', { name: /^Create|^Add line/ })
    .last()
    .press('Enter');
  const main = page.getByRole('main');
  await expect(main.getByText(/connection|cannot be reached/i).first()).toBeVisible();
  await expect(page.getByLabel('Notes')).toHaveValue('typed notes');

  const sentLater: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The form requests the price, and whether the name is free, when it is shown.
    const isQuestion = ['/api/lines/quote', '/api/lines/check-name'].includes(pathname);
    if (request.method() === 'POST' && !isQuestion) sentLater.push(pathname);
  });
  await context.setOffline(false);
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
  await expect(page.getByLabel('Notes')).toHaveValue('typed notes');
  await page.reload();
  await page.goto('/users/all');
  await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
  expect(sentLater).toEqual([]);
  const after = await seller.get(`/api/lines/${lineId}`);
  expect(before.expiry_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(after.expiry_date).toBe(before.expiry_date);
  expect((await seller.get('/api/lines')).total).toBe(1);
});
