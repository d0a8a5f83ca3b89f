import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { outageOf, outagesWith } from '../support/outages.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test.describe.configure({ mode: 'default' });

const cardServer = new CardServer();
const name = `Gdynia ${unique()}`;
let id: string;
let lineId: string;
let seller: Account;
let sellers: Api;
const username = `gdynia-${unique()}`;

test.beforeAll(async ({ admin, newAccount, addServer }) => {
  // Several outages share one strip, which names only some of the servers.
  await takeServersBack(admin);
  await cardServer.start();
  id = await addServer(name, cardServer, { public_host: 'gdy.lines.example' });
  seller = await newAccount({ credits: 20 });
  sellers = await apiOf(seller);
  const line = { username, password: 'tulip-harbor-92', subscription_months: 1, server_id: id };
  ({ id: lineId } = (await sellers.post('/api/lines', line)).line);
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

const strip = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('sellers see that a server does not respond, what it means, and that it is over', {
  tag: ['@both', '@main'],
}, async ({ page, admin, isPhone }) => {
  await signIn(page, seller, '/users/all');
  await expect(page.getByText(username)).toBeVisible();
  await cardServer.stop();
  await admin.post(`/api/servers/${id}/test`);

  const title = `${name} has not responded since`;
  const away = page.getByRole('link', { name: title });
  await expect(away).toContainText(': 1 of your lines.');
  await expect(
    page.locator('tbody, main li').getByRole('img', { name: 'Not responding' }),
  ).toBeVisible();
  expect(await sidewaysOverflow(page)).toBe(0);
  await expectAccessible(page);
  if (isPhone) {
    await page.getByRole('link', { name: username }).click();
    await page.getByRole('button', { name: 'Renew', exact: true }).click();
  } else {
    await page.getByRole('button', { name: `Renew ${username}` }).click();
  }
  await page.getByRole('button', { name: 'Renew for 2 credits' }).click();
  await expect(resultOf(page, `${username} renewed until`)).toContainText(
    `pending on ${name}, sent automatically`,
  );
  if (isPhone) {
    await expect(page.getByRole('main')).toContainText('A change is pending');
    await page.goBack();
  }
  // On a phone, a row has room for one chip.
  const chip = page.locator('tbody, main li').getByText(isPhone ? 'Server down' : 'Pending');
  await expect(chip).toBeVisible();
  await expect(away).toContainText(': 1 of your lines, 1 pending change.');
  await away.click();
  await expect(page).toHaveURL(new RegExp(`server=${id}`));
  await page.goto(`/users/${lineId}`);
  const toDo = page.getByRole('region', { name: 'What to do' });
  await expect(toDo).toContainText(`Sent automatically as soon as ${name} responds.`);
  await expect(toDo).toContainText('Its port for customers does not respond either.');
  await expect(toDo).toContainText(/New sales go to|No server accepts new lines/);
  expect(await sidewaysOverflow(page)).toBe(0);

  await cardServer.start();
  await admin.post(`/api/servers/${id}/test`);
  const over = strip(page, `${name} has been responding again since`);
  await expect(over).toBeVisible();
  await expect(toDo).toHaveCount(0);
  await expectAccessible(page);
  await over.getByRole('button', { name: 'Dismiss' }).click();
  await expect(over).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await expect(over).toHaveCount(0);
  // The waiting changes were sent.
  await page.goto('/users/all');
  await expect(page.getByText(username)).toBeVisible();
  await expect(chip).toHaveCount(0);
  // The duration of the outage is on the server's page, which administrators see.
  await signIn(page, 'admin', `/cccam-servers/${id}`);
  await expect(page.getByText('down for 1 min, incidents: 1')).toBeVisible();
});

test('of several servers sellers read since when each is away, and whether customers may notice', {
  tag: '@both',
}, async ({ page }) => {
  const two = { lines: 2, waiting: 0 };
  const [first, second] = [outageOf('Frankfurt am Main 1', two), outageOf('Lisboa 3', two)];
  let items: object[] = [first, second];
  await page.route('**/api/servers/outages', (route) =>
    route.fulfill({ json: outagesWith(items as (typeof first)[]) }),
  );
  await signIn(page, seller, '/users/all');
  const away = page.getByRole('link', { name: '2 servers are not responding' });
  const time = String.raw`\d+:\d\d [ap]m`;
  const each = `Frankfurt am Main 1.* since .*${time}.*, .*Lisboa 3.* since .*${time}`;
  await expect(away).toContainText(new RegExp(`${each}.*: .*4 of your lines`));
  await expect(away).not.toContainText('may be affected');
  expect(await sidewaysOverflow(page)).toBe(0);
  items = [first, { ...second, port_answers: null }];
  await page.reload();
  await expect(away).toContainText('4 of your lines may be affected');
  await expectAccessible(page);
});

test('an administrator tells the resellers, each in their own language', {
  tag: ['@both', '@main'],
}, async ({ page, admin, browser }) => {
  await sellers.patch('/api/me/settings', { language: 'pl' });
  await cardServer.stop();
  await admin.post(`/api/servers/${id}/test`);
  await signIn(page, 'admin', '/users/all');
  const away = page.getByRole('link', { name: `${name} has not responded since` });
  await expect(away).toContainText(': 1 line of 1 account.');
  await expectAccessible(page);
  await away.click();
  await expect(page).toHaveURL(new RegExp(`/cccam-servers/${id}$`));
  const trouble = strip(page, 'Failed to connect to server');
  await expect(trouble).toContainText('Its port for customers does not respond either.');
  await expect(trouble).toContainText(/New sales go to|No server accepts new lines/);
  await expectAccessible(page);
  const toTell = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'Notify resellers' });
  await toTell.getByRole('link').click();
  await expect(page.getByRole('radio', { name: /^Lines on a server/ })).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Server' })).toHaveText(name);
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(
    `${name} is not responding`,
  );
  await page.getByRole('radio', { name: 'Polski' }).check();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toHaveValue(`Serwer ${name} nie odpowiada`);
  await expectAccessible(page);
  await title.fill('');
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('radio', { name: 'Polski' })).toBeChecked();
  await title.fill('Gdynia stoi');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(`to resellers with lines on ${name}`)).toBeVisible();
  await page.goto(`/cccam-servers/${id}`);
  await expect(toTell).toContainText(/Notified \d/);

  const { items } = await sellers.get('/api/messages?unread=true');
  expect(items.map((message: { title: string }) => message.title)).toEqual(['Gdynia stoi']);
  const others = await (await browser.newContext()).newPage();
  await signIn(others, 'reseller', '/messages');
  await expect(others.getByText('Gdynia stoi')).toHaveCount(0);
  await others.context().close();
  await cardServer.start();
  await admin.post(`/api/servers/${id}/test`);
});
