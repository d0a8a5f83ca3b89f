import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { STANDARD_PLAN } from '../../packages/contract/src/credits/plans.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { openFields } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const CREDITS = 100;
const FIRST = 4;
const LATER = 7;

const cardServer = new CardServer();
let server_id = '';
test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  server_id = await addServer(`Prices ${cardServer.port}`, cardServer);
});
test.afterAll(() => cardServer.remove());

const months = (credits: number) => [{ plan_id: STANDARD_PLAN, months: 1, credits }];

/** A seller who pays `FIRST` credits for a month by a price list of its own. */
async function sellerWithList(
  admin: Api,
  newAccount: (fields: Record<string, unknown>) => Promise<Account>,
) {
  const seller = await newAccount({ credits: CREDITS });
  const { price_list } = await admin.post('/api/price-lists', {
    name: `Prices ${unique()}`,
    terms: months(FIRST),
  });
  await admin.patch(`/api/accounts/${seller.id}`, { price_list_id: price_list.id });
  const raise = (credits: number) =>
    admin.patch(`/api/price-lists/${price_list.id}`, { terms: months(credits) });
  return { seller, raise };
}

/** Credits of each sale and renewal in the seller's books. */
async function paid(api: Api): Promise<number[]> {
  const { items } = await api.get('/api/credits/transfers?kind=sale,renewal');
  return items.map(({ amount }: { amount: number }) => amount);
}

/** Stops the page's events, so that it does not learn the new price before the refusal. */
const holdEvents = (page: Page) => page.route('**/api/events*', () => {});

test.describe('a price that changes after it was shown', { tag: '@both' }, () => {
  test('is told, and the sale is paid once at the new price', { tag: '@main' }, async ({
    page,
    admin,
    newAccount,
  }) => {
    const { seller, raise } = await sellerWithList(admin, newAccount);
    const books = await apiOf(seller);
    const username = `priced-${unique()}`;
    const name = page.getByRole('textbox', { name: 'Username' });
    await holdEvents(page);
    await signIn(page, seller, '/users/add');
    await name.fill(username);
    await expect(page.getByText('This username is available.')).toBeVisible();
    const at = (price: number) =>
      page.getByRole('button', { name: `Create line for ${price} credits` });
    await expect(at(FIRST)).toBeVisible();

    await raise(LATER);
    await at(FIRST).click();
    await expect(
      page.getByText(`The price has changed to ${LATER} credits. Nothing was charged.`),
    ).toBeVisible();
    await expect(at(LATER)).toBeVisible();
    await expect(name).toHaveValue(username);
    expect(await paid(books)).toEqual([]);

    await at(LATER).click();
    await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
    expect(await paid(books)).toEqual([LATER]);
  });

  test('is told before lines are renewed, one by one and together', async ({
    page,
    admin,
    newAccount,
  }) => {
    const { seller, raise } = await sellerWithList(admin, newAccount);
    const books = await apiOf(seller);
    const owned = { password: 'tulip-harbor-92', server_id, owner_id: seller.id };
    const stamp = unique();
    for (const index of [0, 1, 2]) {
      const expiry_date = formatDay(addDays(today(ZONE), 3));
      await admin.post('/api/lines', { ...owned, username: `due-${stamp}-${index}`, expiry_date });
    }
    await holdEvents(page);
    await signIn(page, seller, '/');
    const row = page.getByRole('listitem').filter({ hasText: `due-${stamp}-0` });
    const renew = (price: number) => row.getByRole('button', { name: `Renew for ${price}` });
    await expect(renew(FIRST)).toBeVisible();

    await raise(LATER);
    await renew(FIRST).click();
    await expect(row.getByText(`The price has changed to ${LATER} credits`)).toBeVisible();
    expect(await paid(books)).toEqual([]);
    await renew(LATER).click();
    await expect(row.getByRole('button', { name: 'Undo' })).toBeVisible();
    expect(await paid(books)).toEqual([LATER]);

    await page.getByRole('button', { name: `Renew 2 for ${2 * LATER} credits` }).click();
    const dialog = page.getByRole('dialog');
    const together = (price: number) =>
      dialog.getByRole('button', { name: `Renew 2 lines for ${2 * price} credits` });
    await expect(together(LATER)).toBeEnabled();
    await raise(FIRST);
    await together(LATER).click();
    await expect(
      dialog.getByText(`The price has changed to ${2 * FIRST} credits. Nothing was charged.`),
    ).toBeVisible();
    expect(await paid(books)).toEqual([LATER]);
    await together(FIRST).click();
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => paid(books)).toEqual([FIRST, FIRST, LATER]);
  });

  test('is told before a later date is saved', async ({ page, admin, newAccount }) => {
    const { seller, raise } = await sellerWithList(admin, newAccount);
    const books = await apiOf(seller);
    const { line } = await admin.post('/api/lines', {
      ...{ username: `dated-${unique()}`, password: 'tulip-harbor-92', server_id },
      ...{ owner_id: seller.id, expiry_date: formatDay(addDays(today(ZONE), 3)) },
    });
    await holdEvents(page);
    await signIn(page, seller, `/users/edit/${line.id}`);
    await openFields(page, 'Expiry');
    const date = page.getByLabel('Expiry');
    const later = formatDay(addDays(today(ZONE), 20));
    await date.fill(later);
    const save = (price: number) => page.getByRole('button', { name: `Save for ${price} credits` });
    await expect(save(FIRST)).toBeEnabled();

    await raise(LATER);
    await save(FIRST).click();
    await expect(page.getByText(`The price has changed to ${LATER} credits`)).toBeVisible();
    await expect(save(LATER)).toBeEnabled();
    await expect(date).toHaveValue(later);
    expect(await paid(books)).toEqual([]);
    await save(LATER).click();
    await expect.poll(() => paid(books)).toEqual([LATER]);
  });
});

test('a panel without trials offers sellers none', { tag: '@both' }, async ({
  page,
  newAccount,
}) => {
  await page.route('**/api/settings/public', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), trial_limit: 0 } });
  });
  const cards = page.getByRole('group', { name: /Duration/ }).getByRole('radio');
  await signIn(page, await newAccount({ credits: CREDITS }), '/users/add');
  await expect(cards).toHaveCount(5);
  await signIn(page, 'admin', '/users/add');
  await expect(cards).toHaveCount(6);
});

test('a price that changes after a file was checked is told before the import', async ({
  page,
  admin,
  newAccount,
}) => {
  const { seller, raise } = await sellerWithList(admin, newAccount);
  const books = await apiOf(seller);
  const text = `username,password,subscription_months\nfiled-${unique()},tulip-harbor-92,1\n`;
  await signIn(page, seller, '/users/import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: /^Check/ }).click();
  const all = (price: number) =>
    page.getByRole('button', { name: `Import 1 line for ${price} credits` });
  await expect(all(FIRST)).toBeEnabled();

  await raise(LATER);
  await all(FIRST).click();
  await expect(page.getByText(`The price has changed to ${LATER} credits`)).toBeVisible();
  expect(await paid(books)).toEqual([]);
  await all(LATER).click();
  await expect.poll(() => paid(books)).toEqual([LATER]);
});

test('an account below is given a price list, once there is one', async ({ page, newAccount }) => {
  const seller = await newAccount({ credits: CREDITS });
  const own = await apiOf(seller);
  const email = `below-${unique()}@linekeeper.example`;
  const below = await own.post('/api/accounts', { email, password: 'heron-on-the-lake-9' });
  const address = `/accounts/${below.account.id}`;
  await signIn(page, seller, address);
  const facts = page.getByRole('main');
  await expect(facts.getByText('Created', { exact: true })).toBeVisible();
  await expect(facts.getByText('Price list')).toHaveCount(0);

  const name = `List ${unique()}`;
  const { price_list } = await own.post('/api/price-lists', { name, factor: 1.5 });
  await page.goto(address);
  await expect(facts.getByText('Same as the account above')).toBeVisible();
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Edit account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: /Price list/ }).click();
  await page.getByRole('option', { name }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(facts.getByText(name)).toBeVisible();
  expect((await own.get(`/api/accounts/${below.account.id}`)).price_list_id).toBe(price_list.id);
});
