import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { storeOnline, storeUsage } from '../support/presence.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
const serverName = `Sopot ${unique()}`;
let server_id = '';
let seller: Account;
let other: Account;
let refused = { id: '', username: '' };

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, newAccount }) => {
  await cardServer.start();
  server_id = await addServer(serverName, cardServer);
  seller = await newAccount({ full_name: 'Rui Santos', credits: 50 });
  other = await newAccount({ full_name: 'Ewa Nowak', credits: 50 });
  const [own, others] = [await apiOf(seller), await apiOf(other)];
  refused = await sellLine(own, 'own', { server_id });
  const idle = await sellLine(own, 'idle', { server_id });
  const foreign = await sellLine(others, 'foreign', { server_id });
  await storeOnline(server_id, {
    [refused.id]: { connections: 2, hours: 4 },
    [idle.id]: { connections: 0, hours: 3 },
    [foreign.id]: { connections: 1, hours: 1 },
  });
  await storeUsage(server_id, refused.id);
});
// A reading counts for some minutes, so each test stores it again.
test.beforeEach(() => storeOnline(server_id, {}));
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

const main = (page: Page) => page.getByRole('main');
const tile = (page: Page) => main(page).getByRole('link').filter({ hasText: 'Online now' }).first();
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const refusal = (page: Page) => main(page).getByText(`${refused.username}: `);

test.describe('at both sizes', { tag: '@both' }, () => {
  test('an administrator sees who is online now, through the day and by server', async ({
    page,
    admin,
  }) => {
    await signIn(page, 'admin');
    const { online } = await admin.get('/api/dashboard');
    await expect(tile(page)).toContainText(String(online.now));
    const day = card(page, 'Online today');
    await expect(day.getByText(`${online.now} line`)).toBeVisible();
    const slider = day.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', /^12:00 am: .+, a week earlier /);
    await expect(refusal(page)).toHaveText(/: \d+% of requests refused$/);
    await expectAccessible(page);

    await day.getByRole('button', { name: 'View as table: Online today' }).press('Enter');
    await expect(day.getByRole('columnheader')).toHaveText(['Hour', 'Online', 'A week earlier']);
    await expect(day.getByRole('row')).toHaveCount(25);
    await expectAccessible(page);

    const row = card(page, 'Online by server')
      .getByRole('listitem')
      .filter({ hasText: serverName });
    await expect(row).toContainText('2 of 3');
    await row.getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(`presence=online.*${server_id}|${server_id}.*online`));
    await expect(main(page).getByText(refused.username)).toBeVisible();
    await page.goBack();
    const title = refusal(page).first();
    await main(page)
      .getByRole('link', { name: `Open: ${await title.innerText()}` })
      .click();
    await expect(page).toHaveURL(new RegExp(`/users/${refused.id}\\?part=usage`));
  });
});

test('a seller sees own lines only', { tag: '@both' }, async ({ page }) => {
  await signIn(page, seller);
  await expect(refusal(page)).toBeVisible();
  await page.goto('/numbers');
  await expect(tile(page)).toContainText('Online now1');
  await expectAccessible(page);
  await tile(page).click();
  await expect(page).toHaveURL(/presence=online/);
  await expect(main(page).getByText(refused.username)).toBeVisible();
  await expect(main(page).getByText('foreign-')).toHaveCount(0);

  await signIn(page, other);
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(
    main(page)
      .getByRole('button', { name: /^Renew/ })
      .or(main(page).getByText('All renewed'))
      .first(),
  ).toBeVisible();
  await expect(refusal(page)).toHaveCount(0);
});

test('a seller’s first screen has how many are online', async ({ page }) => {
  await signIn(page, seller);
  await expect(tile(page)).toContainText('Online now1');
  await tile(page).click();
  await expect(page).toHaveURL(/\/users\/all\?.*presence=online/);
});
