import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { goOffline, goOnline } from '../support/offline.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { blockEvents } from '../support/requests.ts';
import { resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { showAll } from '../support/show-all.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const day = today(ZONE);
const cardServer = new CardServer();
let server_id: string;

type AddLine = (owner: Account, name: string, days: number) => Promise<{ username: string }>;

const test = base.extend<{
  newReseller: (credits?: number) => Promise<Account>;
  newShop: () => Promise<Account>;
  addLine: AddLine;
}>({
  newReseller: ({ newAccount }, use) =>
    use((credits = 50) => newAccount({ full_name: 'Ewa Nowak', credits })),
  /** A reseller with lines of every kind. */
  newShop: ({ newReseller, addLine }, use) =>
    use(async () => {
      const reseller = await newReseller();
      const lines = { today: 0, soon: 5, month: 20, late: 90, gone: -3 };
      for (const [name, days] of Object.entries(lines)) await addLine(reseller, name, days);
      return reseller;
    }),
  addLine: ({ admin }, use) =>
    use((owner, name, days) =>
      sellLine(admin, name, {
        subscription_months: undefined,
        expiry_date: formatDay(addDays(day, days)),
        server_id,
        owner_id: owner.id,
      }),
    ),
});

// One worker for the file, so that its card server is started once.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  server_id = await addServer(`Dash ${unique()}`, cardServer);
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

const tile = (page: Page, label: string) =>
  page.getByRole('main').getByRole('link').filter({ hasText: label }).first();
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

test.describe('at both sizes', { tag: '@both' }, () => {
  test('each tile leads to the list that has as many rows', { tag: '@main' }, async ({
    page,
    newShop,
  }) => {
    const reseller = await newShop();
    await signIn(page, reseller, '/numbers');
    for (const [label, number, search] of [
      ['Active lines', 4, 'status=active'],
      ['Expiring within 7 days', 2, 'expires=7d'],
      ['Expired', 1, 'status=expired'],
    ] as const) {
      await expect(tile(page, label)).toContainText(String(number));
      await tile(page, label).click();
      await expect(page).toHaveURL(new RegExp(`/users/all\\?.*${search}`));
      await expect(page.getByRole('checkbox', { name: /^Select \w+-\d/ })).toHaveCount(number);
      await page.goBack();
    }
    await expect(tile(page, 'Credits')).toContainText('50');
    await tile(page, 'Credits').click();
    await expect(page).toHaveURL(new RegExp(`/credits\\?.*account=${reseller.id}`));
    await expect(page.getByRole('main')).toContainText('+50');
  });

  test('charts are read by keyboard and as tables', async ({ page, newShop }) => {
    await signIn(page, await newShop(), '/numbers');
    const chart = card(page, 'Expiring within 30 days').getByRole('slider');
    await expect(chart).toHaveAttribute('aria-valuetext', `${formatDay(day)}: 1 line`);
    await chart.focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    const later = `${formatDay(addDays(day, 5))}: 1 line`;
    await expect(chart).toHaveAttribute('aria-valuetext', later);
    await expect(card(page, 'Expiring within 30 days').getByText(later)).toBeVisible();
    await page.keyboard.press('End');
    await expect(chart).toHaveAttribute(
      'aria-valuetext',
      `${formatDay(addDays(day, 30))}: 0 lines`,
    );
    await expectAccessible(page);

    for (const title of ['Expiring within 30 days', 'Balance']) {
      await page.getByRole('button', { name: `View as table: ${title}` }).press('Enter');
      await expect(card(page, title).getByRole('table')).toBeVisible();
    }
    const rows = card(page, 'Expiring within 30 days').getByRole('row');
    await expect(rows).toHaveCount(32);
    await expect(rows.filter({ hasText: formatDay(addDays(day, 20)) })).toContainText('1');
    await expect(card(page, 'Balance').getByRole('row').nth(1)).toContainText('50');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'View as chart: Balance' }).click();
    await expect(card(page, 'Balance').getByRole('slider')).toBeAttached();
  });

  test('first steps tick themselves off, and are hidden by whoever wants', async ({
    page,
    admin,
    newReseller,
    addLine,
  }) => {
    const reseller = await newReseller(0);
    await signIn(page, reseller);
    const steps = card(page, 'First steps');
    await expect(steps).toContainText('0 of 2 done');
    await expect(steps.getByRole('link', { name: 'Top Up Credits' })).toBeVisible();
    await expectAccessible(page);
    await admin.post(`/api/accounts/${reseller.id}/credits`, { amount: 20 });
    await expect(steps).toContainText('1 of 2 done');
    await steps.getByRole('link', { name: 'Add line' }).click();
    await expect(page).toHaveURL(/\/users\/add$/);
    await page.goBack();
    await steps.getByRole('button', { name: 'Hide' }).click();
    await expect(steps).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(steps).toContainText('1 of 2 done');
    await steps.getByRole('link', { name: 'Article: Sell a line' }).click();
    await expect(page.getByRole('link', { name: /Sell a line/ }).first()).toBeVisible();
    await page.goBack();
    await addLine(reseller, 'first', 30);
    // From the first line on, the dashboard shows the tasks of the day.
    await expect(page.getByRole('heading', { name: 'All renewed' })).toBeVisible();
    await expect(steps).toHaveCount(0);
  });
});

test('what is not on its server is said, and tried again', async ({
  page,
  newReseller,
  addLine,
}) => {
  const reseller = await newReseller();
  await signIn(page, reseller);
  const attention = card(page, 'Needs attention');
  await expect(tile(page, 'Active lines')).toBeVisible();
  await expect(attention).toHaveCount(0);
  await cardServer.stop();
  const line = await addLine(reseller, 'lost', 30);
  await expect(attention).toContainText(`${line.username} is not on the server`);
  await attention.getByRole('button', { name: `Retry sync of ${line.username}` }).click();
  await expect(resultOf(page, line.username)).toBeVisible();
  await cardServer.start();
  // The panel or the button of the result pushes the line again; in both cases the row disappears.
  await expect(attention).toHaveCount(0);
});

test('an answered ticket is said to its owner', async ({ page, admin, newReseller }) => {
  const reseller = await newReseller();
  const own = await apiOf(reseller);
  const { ticket } = await own.post('/api/tickets', { title: 'Two lines slow', description: 'So' });
  await signIn(page, reseller);
  const attention = card(page, 'Needs attention');
  await expect(tile(page, 'Active lines')).toBeVisible();
  await expect(attention).toHaveCount(0);
  await admin.post(`/api/tickets/${ticket.id}/replies`, { content: 'Look again' });
  await expect(attention).toContainText('Two lines slow');
  await attention.getByRole('link', { name: `Reply: Ticket #${ticket.number}: ` }).click();
  await expect(page).toHaveURL(new RegExp(`/tickets/${ticket.id}`));
});

test('an administrator is told who has lines to renew and no credits', async ({
  page,
  admin,
  newReseller,
  addLine,
}) => {
  // The test before this one stopped the server.
  await admin.post(`/api/servers/${server_id}/test`);
  const reseller = await newReseller(0);
  await addLine(reseller, 'due-soon', 3);
  await signIn(page, 'admin');
  const attention = card(page, 'Needs attention');
  const row = attention.getByRole('listitem').filter({ hasText: /(?<!\d)0 credits/ });
  // Other tests may add such rows in the meantime, and rows with one cause are combined.
  const add = row.getByRole('link', { name: 'Add credits: Ewa Nowak has 0 credits' });
  await expect(async () => {
    await showAll(attention);
    await add.or(row.getByRole('link', { name: /^Show: / })).click({ timeout: 5000 });
  }).toPass();
  await expect(page).toHaveURL(new RegExp(`/accounts/${reseller.id}|no_credits=true`));
});

test('an administrator sees what all sold, and what waits', async ({
  page,
  admin,
  newReseller,
}) => {
  const reseller = await newReseller(1000);
  const own = await apiOf(reseller);
  // The amount is higher than the spending of any other account in these tests, so that this seller comes first.
  for (let number = 0; number < 4; number++) {
    await own.post('/api/lines', {
      username: `best-${number}-${unique()}`,
      password: 'tulip-harbor-1',
      subscription_months: 24,
      server_id,
    });
  }
  await signIn(page, 'admin');
  const sellers = card(page, 'Top sellers');
  await expect(sellers.getByRole('listitem').filter({ hasText: 'Ewa Nowak' })).not.toHaveCount(0);
  const first = sellers.getByRole('listitem').first();
  const spent = Number(await first.getByRole('strong').or(first.locator('strong')).innerText());
  await first.getByRole('link').click();
  await expect(page).toHaveURL(/\/credits\?.*kind=sale(%2C|,)renewal/);
  const account = new URL(page.url()).searchParams.get('account');
  const { items } = await admin.get(
    `/api/credits/transfers?limit=100&kind=sale,renewal&account_id=${account}`,
  );
  expect(items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(
    spent,
  );
  await page.goBack();
  await expect(tile(page, 'Trials')).toBeVisible();
  const attention = card(page, 'Needs attention');
  await attention.getByRole('button', { name: 'Test: Leeds 1' }).click();
  await expect(resultOf(page, 'Leeds 1 is not responding')).toBeVisible();
  await attention
    .getByRole('link', { name: /^Review: .* ordered|^Show: .* top-ups? to approve/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/payments\/top-ups\?/);
});

test('counting ends at 10,000, and says so', async ({ page, newShop }) => {
  await page.route('/api/dashboard', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    body.lines.active = { total: 10_000, total_is_exact: false };
    body.lines.expiring = { total: 10_000, total_is_exact: true };
    await route.fulfill({ response: reply, json: body });
  });
  await signIn(page, await newShop(), '/numbers');
  await expect(tile(page, 'Active lines')).toContainText('10,000+');
  await expect(tile(page, 'Expiring within 7 days')).toContainText(/10,000(?!\+)/);
  // The page may send another request in the meantime.
  await page.unrouteAll({ behavior: 'wait' });
});

test('what could not be loaded is said, and tried again', async ({ page, newShop }) => {
  await blockEvents(page);
  await page.route('/api/dashboard', (route) => route.fulfill({ status: 503, body: '{}' }));
  await signIn(page, await newShop());
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await expectAccessible(page);
  const again = page.waitForRequest('**/api/dashboard');
  await retry.click();
  await again;
  // One press makes three requests before the page gives up.
  await page.unroute('/api/dashboard');
  await expect(tile(page, 'Active lines')).toContainText('4');
});

test('without a connection the figures stay, and a renewal says that it needs one', async ({
  page,
  newShop,
}) => {
  await signIn(page, await newShop());
  const renew = card(page, 'Due today').getByRole('button', { name: /^Renew.*: today-/ });
  await expect(renew).toBeVisible();
  await goOffline(page);
  await expect(tile(page, 'Active lines')).toContainText('4');
  await renew.click();
  await expect(page.getByText('The panel cannot be reached.').first()).toBeVisible();
  await expect(renew).toBeVisible();
  await goOnline(page);
  await expect(renew).toBeVisible();
});

for (const language of ['de', 'pl', 'pt']) {
  test.describe(() => {
    test.use({ viewport: smallPhone });
    test(`in ${language} it fits the smallest phone`, async ({ page, newShop }) => {
      await signIn(page, await newShop());
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
      const overflow = () => sidewaysOverflow(page);
      await expect(page.getByRole('main').getByRole('listitem')).not.toHaveCount(0);
      await expect.poll(overflow).toBe(0);
      await page.goto('/numbers');
      await expect(page.getByRole('slider')).toHaveCount(2);
      await expect.poll(overflow).toBe(0);
    });
  });
}

test('credits sold and bought are told apart, and those of an administrator explained', async ({
  page,
  newAccount,
  admin,
}) => {
  const account = await newAccount();
  await admin.post(`/api/accounts/${account.id}/credits`, { amount: 60 });
  const api = await apiOf(account);
  const username = unique();
  await api.post('/api/lines', { username, password: 'pw', subscription_months: 12 });
  await signIn(page, account, '/numbers');
  await expect(page.getByText('10 sold, 60 bought in the last 30 days')).toBeVisible();
  await signIn(page, 'admin', '/payments/pricing');
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: /1,000/ }).click();
  await expect(page.getByText('Administrators pay nothing for lines')).toBeVisible();
});
