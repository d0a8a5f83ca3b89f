import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { openFields } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const server = new CardServer();
let server_id = '';
let seller: Api;

test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ addServer, reseller }) => {
  seller = reseller;
  await server.start();
  server_id = await addServer(`suspend ${server.port}`, server);
});
test.afterAll(() => server.remove());

const sell = (name: string) => sellLine(seller, name, { server_id });

const isServed = async (username: string) =>
  (await server.read('CCcam.cfg')).includes(`F: ${username} `);

async function chooseInMenu(page: Page, username: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a line is suspended with a reason and resumed', { tag: ['@main', '@both'] }, async ({
  page,
  isPhone,
}) => {
  const { username } = await sell('rowed');
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  // The row of a phone has no menu: it leads to the line.
  if (isPhone) await page.getByRole('link', { name: username, exact: true }).click();
  const choose = (item: string) =>
    isPhone
      ? page.getByRole('button', { name: item, exact: true }).first().click()
      : chooseInMenu(page, username, item);
  await choose('Suspend');
  const dialog = page.getByRole('dialog', { name: `Suspend ${username}` });
  await expect(dialog).toContainText('stops working');
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Has not paid since May');
  await dialog.getByRole('button', { name: 'Suspend line' }).click();
  await expect(page.getByText(`${username} suspended`)).toBeVisible();
  const badge = page.getByTitle(/^Suspended by .*@.*\n.*Has not paid since May/);
  await expect(badge).toContainText('Suspended');
  // The tab with the same name shows all lines.
  await expect(page.locator('tbody, main li').getByText('Not on server')).toHaveCount(0);
  expect(await isServed(username)).toBe(false);
  await expectAccessible(page);

  await choose('Resume');
  const question = page.getByRole('dialog', { name: `Resume ${username}?` });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Resume line' }).click();
  await expect(page.getByText(`${username} resumed`)).toBeVisible();
  await expect(badge).toHaveCount(0);
  expect(await isServed(username)).toBe(true);
});

test('the page of a line says why it is off, and offers what may be done', async ({
  page,
  admin,
}) => {
  const { username, id } = await sell('paged');
  await signIn(page, 'reseller', `/users/${id}`);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByLabel('Reason').fill('On holiday');
  await page.getByRole('button', { name: 'Suspend line', exact: true }).click();
  await expect(page.getByRole('main')).toContainText(/Suspended by .*@/);
  await expect(page.getByRole('main')).toContainText('On holiday');
  await expect(page.getByRole('listitem').filter({ hasText: 'You suspended it' })).toBeVisible();
  // The label "suspended" has no button to remove it, and is not offered.
  await page.goto(`/users/edit/${id}`);
  await openFields(page, 'Labels');
  await expect(page.getByRole('button', { name: 'Remove Suspended' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Suspended', exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/users/${id}`);
  await admin.post(`/api/lines/${id}/suspend`, { reason: 'Shared with others' });
  const state = page.getByRole('main').getByRole('status').first();
  await expect(state).toContainText('Suspended by an account above yours');
  await expect(state).toContainText('Shared with others');
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0);
  await page.goto(`/users/all?q=${username}`);
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Resume|Suspend/ })).toHaveCount(0);
});

test('a line that the panel has suspended says until when and why, and a person may resume it', {
  tag: '@both',
}, async ({ page }) => {
  const { id } = await sell('networks');
  await storeDirectly([
    [
      `update users set status = '[{"label": "suspended", "color": "error"}]', suspension = jsonb_build_object(
        'by_id', null, 'reason', null, 'at', now(), 'label', status -> 0, 'cause', 'sharing',
        'until', '2099-03-01T18:00:00.000Z') where id = $1`,
      [id],
    ],
  ]);
  await signIn(page, 'reseller', `/users/${id}`);
  const state = page.getByRole('main').getByRole('status').first();
  await expect(state).toContainText(/Suspended by the panel until .*2099/);
  await expect(state).toContainText('Online from several networks at once');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resume', exact: true }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Resume/ })
    .click();
  await expect(state).not.toContainText('Suspended');
});

test('several networks are allowed by an account above the owner, not by the owner', async ({
  page,
}) => {
  const { id, username } = await sell('homes');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await expect(page.getByText('Host, port, protocol')).toBeVisible();
  await expect(page.getByText('Several networks')).toHaveCount(0);
  await signIn(page, 'admin', `/users/edit/${id}`);
  await openFields(page, 'Several networks');
  await page.getByRole('switch', { name: 'Several networks at once are allowed' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(`${username} saved`)).toBeVisible();
  const { sharing_exempt } = (await seller.get(`/api/lines/${id}`)) as { sharing_exempt: boolean };
  expect(sharing_exempt).toBe(true);
});

test('many lines are suspended and resumed by jobs', async ({ page }) => {
  const q = `m${unique().slice(-6)}`;
  const lines = [await sell(q), await sell(q)];
  await signIn(page, 'reseller', `/users/all?q=${q}`);
  const all = page.getByRole('checkbox', { name: /all/i }).first();
  await all.check();
  await page.getByRole('button', { name: 'More actions', exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Not paid');
  await expect(dialog.getByRole('row').filter({ hasText: lines[0]?.username })).toContainText(
    'Suspended',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Suspend 2 lines' }).click();
  await expect(resultOf(page, '2 lines suspended')).toBeVisible();
  await expect(page.getByTitle(/Not paid/)).toHaveCount(2);
  await all.check();
  await page.getByRole('button', { name: 'More actions', exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Resume 2 lines' }).click();
  await expect(resultOf(page, '2 lines resumed')).toBeVisible();
  await expect(page.getByTitle(/Not paid/)).toHaveCount(0);
  for (const { username } of lines) await expect.poll(() => isServed(username)).toBe(true);
});

test('a found line is suspended from the palette', async ({ page }) => {
  const { username } = await sell('found');
  await signIn(page, 'reseller');
  // Waits until the page listens for keys.
  await expect(page.locator('header [aria-keyshortcuts]')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(username);
  await page.getByRole('option', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Suspend line' }).click();
  await expect(page.getByText(`${username} suspended`)).toBeVisible();
  expect(await isServed(username)).toBe(false);
});
