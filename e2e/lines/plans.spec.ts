import type { Locator, Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { STANDARD_PLAN } from '../../packages/contract/src/credits/plans.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText, rowOf, shownCredits, sidewaysOverflow } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const here = new CardServer();
const away = new CardServer();
const stamp = unique();
const names = { here: `Here ${stamp}`, away: `Away ${stamp}` };
const hosts = { here: `here-${stamp}.lines.example`, away: `away-${stamp}.lines.example` };
const plans = { sport: '', hd: '' };
let seller: Account;

test.describe.configure({ mode: 'default' });

/** A plan on both servers, one of which is away, and one on the server that responds. */
test.beforeAll(async ({ admin, addServer }) => {
  await Promise.all([here.start(), away.start()]);
  const ids = {
    here: await addServer(names.here, here, { public_host: hosts.here }),
    away: await addServer(names.away, away, { public_host: hosts.away }),
  };
  await away.stop();
  const add = async (plan: Record<string, unknown>) =>
    (await admin.post('/api/plans', plan)).plan.id as string;
  plans.hd = await add({
    name: 'Full HD',
    position: 1,
    servers: [{ server_id: ids.here }],
    terms: [
      { months: 1, credits: 3 },
      { months: 3, credits: 7 },
    ],
  });
  plans.sport = await add({
    name: 'Sport',
    position: 2,
    serves: 'all',
    servers: [{ server_id: ids.here }, { server_id: ids.away }],
    terms: [
      { months: 1, credits: 4 },
      { months: 3, credits: 9 },
    ],
  });
});

/** Other tests expect only one plan. */
test.afterAll(async ({ admin }) => {
  for (const id of Object.values(plans)) {
    const { items } = await admin.get(`/api/lines?plan_id=${id}&limit=100`);
    for (const line of items) await admin.delete(`/api/lines/${line.id}`);
    await admin.delete(`/api/plans/${id}`);
  }
  await Promise.all([here.remove(), away.remove()]);
  await takeServersBack(admin);
});

test.beforeEach(async ({ newAccount }) => {
  seller = await newAccount({ credits: 100 });
});

const sell = async (plan_id: string, name: string) =>
  sellLine(await apiOf(seller), name, { plan_id, subscription_months: 3 });

const plan = (page: Page, name: string) =>
  page.getByRole('radio', { name: new RegExp(`^${name}`) });
const credits = (page: Page, amount: number) => expect.poll(() => shownCredits(page)).toBe(amount);
const creditsIn = async (text: Locator) => Number((await text.textContent())?.replace(/\D/g, ''));
const lastDay = () => formatDay(addMonths(today(ZONE), 3));

async function sellSport(page: Page, username: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await plan(page, 'Sport').check();
  await page.getByRole('radio', { name: /^3 months/ }).check();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await expect(page.getByText(`${names.here} and ${names.away}`)).toBeVisible();
  await page.getByRole('button', { name: 'Create line for 9 credits' }).click();
  await expect(
    page.getByRole('heading', {
      name: `Sport until ${lastDay()}. Works on ${names.here}. Pending on ${names.away}.`,
    }),
  ).toBeVisible();
  const chips = page.getByRole('list', { name: 'Servers' }).getByRole('listitem');
  await expect(chips).toContainText([names.here, names.away]);
  for (const [line, host] of [
    ['C line 1', hosts.here],
    ['C line 2', hosts.away],
  ] as const) {
    await expect(page.getByRole('definition').filter({ hasText: host })).toContainText(username);
    await expect(page.getByText(line, { exact: true })).toBeVisible();
  }
}

test('a line is sold by its plan, and handed over with a C line for each server', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const username = `sport-${unique()}`;
  await signIn(page, seller, '/users/add');
  await expect(plan(page, 'Standard')).toBeChecked();
  await sellSport(page, username);
  await credits(page, 91);
  await expectAccessible(page);
  expect(await here.read('CCcam.cfg')).toContain(`F: ${username} `);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  for (const host of Object.values(hosts))
    await expect.poll(() => clipboardText(page)).toContain(`C: ${host} 12000 ${username} `);
  await page.getByRole('button', { name: 'Create another' }).click();
  await expect(plan(page, 'Sport')).toBeChecked();
});

test('another plan costs or gives back the difference, and is undone', async ({ page }) => {
  const { id, username } = await sell(plans.sport, 'switch');
  await signIn(page, seller, `/users/${id}`);
  const change = page.getByRole('button', { name: 'Change plan' }).first();
  const dialog = page.getByRole('dialog');
  const said = resultOf(page, `Plan of ${username} changed`);
  await expect(page.getByRole('list', { name: 'Servers' })).toContainText(names.away);
  await change.click();
  await expect(dialog.getByRole('radio')).toHaveCount(2);
  await plan(page, 'Full HD').check();
  const back = await creditsIn(dialog.getByText(/^You get .* back$/));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await expect(said).toBeVisible();
  await credits(page, 91 + back);
  await expect(page.getByRole('list', { name: 'Servers' })).toHaveCount(0);
  await expect(page.getByText('7 credits', { exact: true })).toBeVisible();

  await said.getByRole('button', { name: 'Undo' }).click();
  await credits(page, 91);
  await expect(page.getByRole('list', { name: 'Servers' })).toContainText(names.away);
});

test('a dearer plan is paid for', async ({ page }) => {
  const { id, username } = await sell(plans.hd, 'dearer');
  await signIn(page, seller, `/users/${id}`);
  await page.getByRole('button', { name: 'Change plan' }).first().click();
  await plan(page, 'Sport').check();
  const dialog = page.getByRole('dialog');
  const cost = await creditsIn(dialog.getByText(/^You pay/));
  await expect(dialog).toContainText(`Servers: ${names.here} and ${names.away}`);
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await expect(resultOf(page, `Plan of ${username} changed`)).toBeVisible();
  await credits(page, 93 - cost);
});

test('lines are found by their plan, and change it together', async ({ page }) => {
  const sport = [await sell(plans.sport, 'one'), await sell(plans.sport, 'two')];
  const other = await sell(plans.hd, 'other');
  await signIn(page, seller, '/users/all');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('checkbox', { name: /^Sport/ }).check();
  await page.getByRole('button', { name: /^Show 2/ }).click();
  await expect(rowOf(page, other.username)).toHaveCount(0);
  for (const { username } of sport) await expect(rowOf(page, username)).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change plan' }).click();
  const dialog = page.getByRole('dialog');
  await plan(page, 'Full HD').check();
  const after = await creditsIn(dialog.getByText(/^\d+ credits$/).last());
  expect(after).toBeGreaterThan(75);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change the plan of 2 lines' }).click();
  await expect(resultOf(page, 'Plan of 2 lines changed')).toBeVisible();
  await credits(page, after);
});

test('an account that sells one plan reads nothing of plans', async ({ page, admin }) => {
  await admin.put(`/api/accounts/${seller.id}/limits`, { plan_ids: [STANDARD_PLAN] });
  await signIn(page, seller, '/users/add');
  await expect(page.getByRole('radio', { name: /^1 month/ })).toBeChecked();
  await expect(page.getByText('Plan', { exact: true })).toHaveCount(0);
});

test('a phone sells a plan', { tag: '@phone' }, async ({ page }) => {
  await signIn(page, seller, '/users/add');
  await sellSport(page, `phone-${unique()}`);
  expect(await sidewaysOverflow(page)).toBe(0);
  await expectAccessible(page);
});
