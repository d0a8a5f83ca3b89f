import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { rowOf } from '../support/page.ts';
import { accounts, agentCredentials } from '../support/people.ts';
import { resultOf } from '../support/results.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
test.afterEach(() => cardServer.remove());
test.afterAll(({ admin }) => takeServersBack(admin));

/** Starts a separate card server with names that the panel does not know. */
async function leaveNames(admin: Api, ...usernames: string[]) {
  await cardServer.start();
  const configuration = {
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: cardServer.port,
    ...agentCredentials,
  };
  const server_name = `Left ${unique()}`;
  const { server } = await admin.post('/api/servers', { ...configuration, server_name });
  await admin.post(`/api/servers/${server.id}/test`);
  const leave = (username: string) =>
    admin.post('/api/servers/test-call', {
      configuration,
      call: 'add',
      arguments: { username, password: `pw-${username}`, expiry_date: '31-12-2090' },
    });
  for (const username of usernames) await leave(username);
  // The server is taken out of use, so that the lines of other tests do not go to it.
  const retire = async () => {
    await cardServer.stop();
    await admin.post(`/api/servers/${server.id}/test`);
  };
  return { server_name, id: server.id as string, leave, retire };
}

const tab = (page: Page) => page.getByRole('link', { name: /^Not in the panel/ });

test('a name is adopted for a reseller, another removed, and a third appears while one looks', async ({
  page,
  admin,
}) => {
  const stamp = unique();
  const [kept, gone, late] = [`kept-${stamp}`, `gone-${stamp}`, `late-${stamp}`];
  const long = `longer-than-20-${stamp}`;
  const { server_name, leave, retire } = await leaveNames(admin, kept, gone, long);
  await signIn(page, 'admin', '/cccam-servers/sync');
  await expect(tab(page)).toContainText(/\d/);
  await tab(page).click();
  await page.getByRole('searchbox').fill(stamp);
  await expect(rowOf(page, kept)).toContainText('31-12-2090');
  await expect(rowOf(page, long)).toContainText('Too long for CCcam');
  await expectAccessible(page);
  await page.getByRole('button', { name: `Adopt ${long} on ${server_name}` }).click();
  await expect(page.getByRole('dialog')).toContainText('sends only the first 20 bytes');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: `Adopt ${kept} on ${server_name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Expiry')).toHaveValue('31-12-2090');
  await expectAccessible(page);
  await dialog.getByRole('combobox', { name: 'Owner' }).fill(accounts.reseller.email);
  await page.getByRole('option', { name: accounts.reseller.email }).click();
  await dialog.getByRole('button', { name: 'Adopt' }).click();
  await expect(page.getByText(`${kept} is now a line`)).toBeVisible();
  await expect(rowOf(page, kept)).toHaveCount(0);
  const [line] = (await admin.get(`/api/lines?q=${kept}`)).items;
  expect(line).toMatchObject({
    owner_email: accounts.reseller.email,
    expiry_date: '2090-12-31',
    sync_state: 'synced',
  });
  expect(await cardServer.read('CCcam.cfg')).toContain(`F: ${kept} pw-${kept}\n`);

  await page.getByRole('button', { name: `Remove ${gone} from ${server_name}` }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${gone} was removed from ${server_name}`)).toBeVisible();
  await expect(rowOf(page, gone)).toHaveCount(0);
  expect(await cardServer.read('CCcam.cfg')).not.toContain(`F: ${gone} `);

  await leave(late);
  await expect(rowOf(page, late)).toBeVisible();
  await cardServer.stop();
  await expect(page.getByText(`The usernames on ${server_name} could not be read`)).toBeVisible();
  await page.getByRole('button', { name: `Adopt ${late} on ${server_name}` }).click();
  await dialog.getByRole('button', { name: 'Adopt' }).click();
  await expect(dialog.getByText('The card server is not responding.')).toBeVisible();
  await retire();
});

test.describe('in a window of 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 800 } });
  test('the buttons of a row fit in each language', async ({ page, admin }) => {
    const name = `fits-${unique()}`;
    const { retire } = await leaveNames(admin, name);
    await signIn(page, 'admin', `/cccam-servers/sync?tab=orphans&q=${name}`);
    for (const language of ['de', 'pl', 'pt', 'en']) {
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.reload();
      const row = rowOf(page, name);
      await expect(row).toBeVisible();
      const beyond = await row.evaluate((element) => {
        const right = (one: Element | null | undefined) => one?.getBoundingClientRect().right ?? 0;
        return right(element.lastElementChild) - right(element.closest('table')?.parentElement);
      });
      expect(beyond, `${language}: the row's buttons lie outside`).toBeLessThanOrEqual(0);
    }
    await retire();
  });
});

test('several are adopted and removed at once', { tag: '@both' }, async ({ page, admin }) => {
  const stamp = unique();
  const names = ['a', 'b', 'c', 'd'].map((letter) => `${letter}-${stamp}`);
  const { retire } = await leaveNames(admin, ...names);
  // A line on another server has this name, so the orphan can only be removed.
  await admin.post('/api/lines', {
    username: names[3],
    password: 'pw',
    subscription_months: 1,
    server_id: (await admin.get('/api/servers?q=Frankfurt%201')).items[0].id,
  });
  await signIn(page, 'admin', `/cccam-servers/sync?tab=orphans&q=${stamp}`);
  await expect(rowOf(page, names[3] ?? '')).toContainText('Line on another server');
  for (const name of [names[0], names[1], names[3]]) {
    await rowOf(page, name ?? '')
      .getByRole('checkbox')
      .check();
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Adopt 3 usernames' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Adopt 3 usernames' }).click();
  const refused = resultOf(page, 'Usernames not adopted: 1');
  await expect(refused).toContainText('Username already exists');
  const { items: adopted } = await admin.get(`/api/lines?q=${stamp}`);
  const adoptedNames = adopted.map(({ username }: { username: string }) => username);
  expect(adoptedNames).toEqual(expect.arrayContaining(names.slice(0, 2)));

  for (const name of [names[2], names[3]]) {
    await rowOf(page, name ?? '')
      .getByRole('checkbox')
      .check();
  }
  await page.getByRole('button', { name: 'Remove 2 usernames' }).click();
  await dialog.getByRole('button', { name: 'Remove 2 usernames' }).click();
  await expect(page.getByText('Usernames being removed: 2')).toBeVisible();
  await expect.poll(() => cardServer.read('CCcam.cfg')).not.toContain(`F: ${names[2]} `);
  await expect(page.getByText(/No results/)).toBeVisible();
  const lines = await admin.get(`/api/lines?q=${stamp}&sort=username`);
  expect(lines.items.map(({ username }: { username: string }) => username)).toEqual([
    names[0],
    names[1],
    names[3],
  ]);
  await retire();
});

test('names that CCcam clients cut are named before several are adopted', {
  tag: '@both',
}, async ({ page, admin }) => {
  const stamp = unique();
  const names = [`short-${stamp}`, `longer-than-20-${stamp}`];
  const { retire } = await leaveNames(admin, ...names);
  await signIn(page, 'admin', `/cccam-servers/sync?tab=orphans&q=${stamp}`);
  for (const name of names) await rowOf(page, name).getByRole('checkbox').check();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Adopt 2 usernames' }).click();
  await expect(dialog).toContainText('only the first 20 bytes of 1 of these usernames');
  await expect(dialog).toContainText(names[1] ?? '');
  await expect(dialog).not.toContainText(names[0] ?? '');
  await expectAccessible(page);
  await retire();
});
