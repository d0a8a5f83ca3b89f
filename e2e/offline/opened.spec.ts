import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { OFFLINE, storedLists, waitUntilBuildIsStored } from '../support/offline.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn, signInByForm } from '../support/sign-in.ts';
import { type Account, test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

interface Reseller {
  account: Account;
  seller: Api;
  username: string;
  secret: string;
  lineId: string;
}

const test = base.extend<{ newReseller: () => Promise<Reseller> }>({
  /** A reseller with one line of a name and a password that nobody else has. */
  newReseller: ({ newAccount }, use) =>
    use(async () => {
      const account = await newAccount({ full_name: 'Rui Santos', credits: 50 });
      const seller = await apiOf(account);
      const secret = `quiet-${unique()}`;
      const { id, username } = await sellLine(seller, 'kept', { password: secret });
      return { account, seller, username, secret, lineId: id };
    }),
});

test.use({ serviceWorkers: 'allow' });

async function waitUntilKept(page: Page, text: string): Promise<void> {
  await waitUntilBuildIsStored(page);
  await expect.poll(() => storedLists(page)).toContain(text);
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a reload without a connection shows the list, marked as old, and other pages', {
    tag: '@main',
  }, async ({ page, context, newReseller }) => {
    const { account, username, secret } = await newReseller();
    await signIn(page, account, '/users/all');
    await page.getByRole('button', { name: `More actions for ${username}` }).waitFor();
    await page.getByRole('button', { name: `More actions for ${username}` }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    const reveal = page.getByRole('button', { name: `Reveal password of ${username}` });
    if (await reveal.isVisible()) {
      await reveal.click();
      await expect(page.getByText(secret)).toBeVisible();
    }
    await waitUntilKept(page, username);
    expect(await storedLists(page)).not.toContain(secret);

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await expect(page.getByText(/Showing data from \d+:\d\d [ap]m\./)).toBeVisible();
    await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    await expect(page.getByText(secret)).toHaveCount(0);
    await expectAccessible(page);

    // The code of a page that was never open is there too; its list was never asked for.
    await page.goto('/tickets');
    await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible();
    await page.goto('/users/all');
    await expect(page.getByText(username, { exact: true }).first()).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByText(OFFLINE)).toHaveCount(0);
    await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
  });
});

test('signing out leaves nothing of the lists behind', async ({ page, context, newReseller }) => {
  const { account, username } = await newReseller();
  await signInByForm(page, account, '/users/all');
  await waitUntilKept(page, username);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await expect.poll(() => storedLists(page)).toBe('');
  await context.setOffline(true);
  await page.goto('/users/all');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByText(username)).toHaveCount(0);
});

test('a ban clears them as soon as the panel says so', async ({ page, admin, newReseller }) => {
  const { account, username } = await newReseller();
  await signIn(page, account, '/users/all');
  await waitUntilKept(page, username);
  const { items } = await admin.get(`/api/accounts?q=${encodeURIComponent(account.email)}`);
  await admin.post(`/api/accounts/${items[0].id}/ban`, {});
  await page.waitForURL(/\/sign-in/);
  await expect.poll(() => storedLists(page)).toBe('');
});

test('another person on the same browser sees nothing of the one before', async ({
  page,
  context,
  newReseller,
}) => {
  const before = await newReseller();
  const after = await newReseller();
  await signIn(page, before.account, '/users/all');
  await waitUntilKept(page, before.username);
  // The session is exchanged, and nobody has signed out.
  await signIn(page, after.account, '/users/all');
  await expect(page.getByText(after.username, { exact: true }).first()).toBeVisible();
  await expect.poll(() => storedLists(page)).not.toContain(before.username);
  await page.reload();
  await expect.poll(() => storedLists(page)).toContain(after.username);
  expect(await storedLists(page)).not.toContain(before.username);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(after.username, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(before.username)).toHaveCount(0);
});

test('what costs credits is refused at once without a connection, and not sent later', async ({
  page,
  context,
  newReseller,
}) => {
  const { account, seller, username, lineId } = await newReseller();
  await signIn(page, account, '/users/all');
  await waitUntilKept(page, username);
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
    // Whether a name is free and what it costs is asked as the form is shown.
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

test('what is older than a week is not shown, and only so much is kept', async ({
  page,
  context,
  newReseller,
}) => {
  const { account, username } = await newReseller();
  await signIn(page, account, '/users/all');
  await waitUntilKept(page, username);
  await page.evaluate(async () => {
    const opened = indexedDB.open(`linekeeper:${location.host}:lists`);
    await new Promise((resolve) => {
      opened.onsuccess = resolve;
    });
    const transaction = opened.result.transaction('replies', 'readwrite');
    const store = transaction.objectStore('replies');
    const all = store.getAll();
    all.onsuccess = () => {
      const [first] = all.result;
      for (let index = 0; index < 400; index++) {
        store.put({ ...first, hash: `filler-${index}`, at: Date.now() - index, size: 10 });
      }
      const old = Date.now() - 8 * 86_400_000;
      for (const reply of all.result) store.put({ ...reply, at: old });
    };
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    opened.result.close();
  });
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByText(username)).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByText(username, { exact: true }).first()).toBeVisible();
  await expect
    .poll(async () => JSON.parse((await storedLists(page)) || '[]').length)
    .toBeLessThanOrEqual(150);
});
