import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { storeOnline, storeSilence } from '../support/presence.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
let server_id = '';
let account: Account;
let seller: Api;
const lines: Record<'on' | 'off' | 'never', { id: string; username: string }> = {
  on: { id: '', username: '' },
  off: { id: '', username: '' },
  never: { id: '', username: '' },
};
const serverName = `Gdynia ${unique()}`;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, newAccount }) => {
  await cardServer.start();
  server_id = await addServer(serverName, cardServer);
  account = await newAccount({ full_name: 'Rui Santos', credits: 50 });
  seller = await apiOf(account);
  for (const name of ['on', 'off', 'never'] as const) {
    lines[name] = await sellLine(seller, name, { server_id });
  }
  const ids = [lines.never.id, lines.on.id];
  await storeDirectly([['update users set added_date = added_date - 9 where id = any($1)', [ids]]]);
});
test.beforeEach(() =>
  storeOnline(server_id, {
    [lines.on.id]: { connections: 2, hours: 4 },
    [lines.off.id]: { connections: 0, hours: 3 },
  }),
);
test.afterAll(() => cardServer.remove());

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a list says who is online, who was, and who never was', async ({ page, isPhone }) => {
    await signIn(page, account, '/users/all');
    const row = ({ username }: { username: string }) =>
      page.getByRole(isPhone ? 'listitem' : 'row').filter({ hasText: username });
    await expect(row(lines.on)).toContainText('Online, 2 connections');
    await expect(row(lines.off)).toContainText('last online, 3 h ago');
    await expect(row(lines.never)).toContainText('never');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Online now 1' }).click();
    await expect(row(lines.off)).toHaveCount(0);
    await expect(row(lines.on)).toBeVisible();
  });

  test('a server that fell silent is not known, and not offline', async ({ page }) => {
    await storeSilence(server_id, 5);
    await signIn(page, account, '/users/all');
    await expect(page.getByText('unknown', { exact: true })).toHaveCount(3);
    await expect(page.getByRole('link', { name: /^Online now/ })).toHaveCount(0);
  });

  test('what was sold and never connected is shared again from its row', async ({
    page,
    context,
    isPhone,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { username } = lines.never;
    await signIn(page, account, '/users/all');
    await page.getByRole('link', { name: 'Never connected 1' }).click();
    await expect(page).toHaveURL(/never=true/);
    await expect(page.getByText(/^Sold at least 3 days ago and never connected/)).toBeVisible();
    const rows = page.getByRole(isPhone ? 'listitem' : 'row').filter({ hasText: username });
    await expect(rows).toContainText('9 days ago');
    await expect(page.getByText(lines.on.username)).toHaveCount(0);
    await expectAccessible(page);
    if (isPhone) await page.getByRole('link', { name: username }).click();
    await page
      .getByRole('button', { name: isPhone ? /^Share/ : `Share ${username}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Copy' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Username: ${username}`);
  });

  test('filters know now, not now, never, and the last days', async ({ page }) => {
    await signIn(page, account, '/users/all');
    await page.getByRole('button', { name: /^Filter/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: 'Online', exact: true }).getByText('Not now').click();
    await expect(dialog.getByRole('button', { name: 'Show 2 results' })).toBeVisible();
    await dialog.getByRole('group', { name: 'Online', exact: true }).getByText('Never').click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Show 1 result' }).click();
    await expect(page.getByRole('button', { name: /Online Never/ })).toBeVisible();
    await page.getByRole('button', { name: /^Filter/ }).click();
    await dialog.getByRole('group', { name: 'Online', exact: true }).getByText('Any').click();
    await dialog.getByRole('group', { name: 'Last online within' }).getByText('7 days').click();
    await dialog.getByRole('button', { name: 'Show 2 results' }).click();
    await expect(page).toHaveURL(/seen=7d/);
  });
});

test('the column sorts those who are online to the top', async ({ page }) => {
  await signIn(page, account, '/users/all');
  await page.getByRole('button', { name: 'Online', exact: true }).click();
  await expect(page).toHaveURL(/sort=-last_seen/);
  await expect(page.getByRole('row').nth(1)).toContainText(lines.on.username);
});
