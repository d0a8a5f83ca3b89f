import { stopServers } from '../../apps/server/src/domain/machines/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../../apps/server/src/testing/card-servers/memory-card-server.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const REFUSED = 'connection refused';
const running: CardServer[] = [];
test.afterAll(async ({ admin }) => {
  await Promise.all(running.map((server) => server.remove()));
  await stopServers();
  await takeServersBack(admin);
});

async function startCardServer(): Promise<CardServer> {
  const server = new CardServer();
  running.push(server);
  await server.start();
  return server;
}

/** Sells a line on a server and renews it after the server has stopped. */
async function renewWithout(server: CardServer, server_id: string, admin: Api) {
  const line = await sellLine(admin, 'changed', { server_id });
  await server.stop();
  await admin.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
  return line;
}

test('a change that is not on its server says so beside the server, and why; retry says what came of it', async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const server = await startCardServer();
  const server_id = await addServer(`Lublin ${stamp}`, server);
  const { id: lineId, username } = await renewWithout(server, server_id, admin);

  await signIn(page, 'admin', `/users/all?q=${username}`);
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(row.getByText('Pending', { exact: true })).toBeVisible();
  await expect(row.getByText(`Lublin ${stamp}`, { exact: true })).toBeVisible();
  const why = row.getByRole('tooltip');
  await expect(why).toBeHidden();
  await row.getByText('Pending', { exact: true }).hover();
  await expect(why).toBeVisible();
  await expect(why).toContainText(REFUSED);
  await page.mouse.move(0, 0);
  await expect(why).toBeHidden();

  const retry = row.getByRole('button', { name: `Retry sync of ${username}` });
  await expect(retry).toHaveAccessibleDescription(new RegExp(REFUSED));
  await row.getByRole('link').or(row.getByRole('button')).first().focus();
  for (let stops = 0; stops < 12; stops++) {
    if (await retry.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(retry).toBeFocused();
  await expect(why).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(why).toBeHidden();
  await expectAccessible(page);

  await page.keyboard.press('Enter');
  const refusal = resultOf(page, 'still refused');
  await expect(refusal).toContainText(/Last attempt: \d{1,2}:\d\d [ap]m, still refused/);
  await expect(refusal).toContainText(`${username}: User was renewed in database`);
  await expect(refusal).toContainText(REFUSED);

  await page.goto(`/users/${lineId}`);
  const state = page.getByRole('main').getByRole('status').first();
  await expect(state).toContainText('A change is pending: ');
  await server.start();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(state).toContainText('Works until');
  await expect(resultOf(page, `${username} is synced`)).toBeVisible();
});

test('the card of a line on a phone says that its server is down', { tag: '@phone' }, async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const server = await startCardServer();
  const server_id = await addServer(`Lublin ${stamp}`, server);
  const { username } = await renewWithout(server, server_id, admin);
  await signIn(page, 'admin', `/users/all?q=${username}`);
  await expect(page.getByText('Server down', { exact: true })).toBeVisible();
  await expect(page.getByText(`Lublin ${stamp}`, { exact: true })).toBeVisible();
});

test('a server that fails under an open form gives way to another, or is named where it was chosen', async ({
  page,
  admin,
  addServer,
}) => {
  const server = await startCardServer();
  const select = page.getByRole('combobox', { name: 'Server' });
  const ids: string[] = [];
  const testAll = () => Promise.all(ids.map((id) => admin.post(`/api/servers/${id}/test`)));
  let name = '';
  const brief = { timeout: 10_000 };
  await signIn(page, 'admin');
  // Other tests add and remove servers too, so this repeats until only this server has changed.
  await expect(async () => {
    await server.stop();
    await server.start();
    name = `Zamosc ${unique()}`;
    ids.push(await addServer(name, server));
    await page.goto('/users/add');
    await expect(select).toContainText(name, brief);
    await page.getByRole('textbox', { name: 'Username' }).fill(`moved-${unique()}`);
    await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
    await page.getByRole('radio', { name: /^1 month/ }).check();

    await server.stop();
    await testAll();
    const replaced = page.getByText('The server shown before no longer accepts new lines.');
    await expect(replaced).toBeVisible(brief);
    await expect(select).not.toContainText('Zamosc', brief);
    await expect(select).toContainText(/\w/, brief);
    await expectAccessible(page);

    await server.start();
    await testAll();
    await select.click();
    await page.getByRole('option', { name }).click();
    await expect(select).toContainText(name, brief);
    await expect(replaced).toHaveCount(0, brief);
  }).toPass();
  await server.stop();
  await testAll();
  const gone = page.getByText(
    'This server is no longer offered for new lines. Choose another server.',
  );
  await expect(gone).toBeVisible();
  await expect(select).toContainText(name);
  await expect(select).toContainText('in error');
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(select).toBeFocused();
  await expect(gone).toBeVisible();

  await select.click();
  await page.getByRole('option', { name: 'Frankfurt 1' }).click();
  await expect(gone).toHaveCount(0);
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(page.getByText('Line created')).toBeVisible();
});

test('retry on the card of a new line and on the sync page says what came of it', async ({
  page,
  addServer,
}) => {
  const stamp = unique();
  const server = await startCardServer();
  const name = `Radom ${stamp}`;
  await addServer(name, server);
  const username = `sold-${stamp}`;
  await signIn(page, 'admin', '/users/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.locator('input[name="password"]').fill('tulip-harbor-92-kite');
  await page.getByRole('radio', { name: /^1 month/ }).check();
  await page.getByLabel('Server').click();
  await page.getByRole('option', { name }).click();
  await server.stop();
  await page.getByRole('button', { name: /^Create line/ }).click();
  const retrySync = page.getByRole('button', { name: 'Retry sync' });
  const brief = { timeout: 5000 };
  // The panel also tries on its own. Until that attempt ends, a press only shows a message to wait.
  await expect(async () => {
    await retrySync.click();
    const tried = page.getByText(/^Last attempt: \d{1,2}:\d\d [ap]m, still refused$/);
    await expect(tried).toBeVisible(brief);
  }).toPass();
  await expect(page.getByText(REFUSED)).toBeVisible();

  await page.goto(`/cccam-servers/sync?q=${username}`);
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(row.getByText(/^Last attempt: .*, still refused$/)).toBeVisible();
  const retry = row.getByRole('button', { name: `Retry ${username} on ${name}` });
  const refusal = resultOf(page, 'still refused');
  await expect(async () => {
    await retry.click();
    await expect(refusal).toContainText(REFUSED, brief);
  }).toPass();
  await expectAccessible(page);
  await server.start();
  // The panel may deliver the push before the click; then nothing is left to retry.
  await retry.click({ timeout: 2000 }).catch(() => {});
  await expect(row).toHaveCount(0);
  expect(await server.read('CCcam.cfg')).toContain(`F: ${username} `);
});

test('a server that has lost its accounts is reported, and a click restores them', async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const server = await startMemoryCardServer('first');
  const name = `Poznan ${stamp}`;
  const id = await addServer(name, server);
  for (const number of [1, 2, 3]) await sellLine(admin, `lost-${number}`, { server_id: id });
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card.getByText('Active')).toBeVisible();

  server.replaceFolder('second');
  await card.getByRole('button', { name: 'Test connection' }).click();
  const lost = 'The server has lost 3 lines';
  await expect(card.getByText(lost)).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/cccam-servers/${id}`);
  await expect(page.getByText(lost).first()).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Pending changes: 3').first()).toBeVisible();
  await expect(page.getByText(lost)).toHaveCount(0);
  await expect.poll(() => server.accounts.size).toBe(3);

  // The same works on the server's card, with the keyboard.
  server.replaceFolder('third');
  await page.goto('/cccam-servers/manage');
  await card.getByRole('button', { name: 'Test connection' }).click();
  await card.getByRole('button', { name: 'Restore' }).focus();
  await page.keyboard.press('Enter');
  await expect(card.getByText(lost)).toHaveCount(0);
  await expect(card.getByRole('heading', { name })).toBeFocused();
  await expect.poll(() => server.accounts.size).toBe(3);
  await page.goto(`/cccam-servers/edit/${id}`);

  await page.getByLabel('Restore lost lines automatically').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(`/cccam-servers/${id}`);
  await page.goto(`/cccam-servers/edit/${id}`);
  await expect(page.getByLabel('Restore lost lines automatically')).toBeChecked();
});
