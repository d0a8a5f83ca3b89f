import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { rowOf } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const TOO_LONG =
  'A CCcam client sends only the first 20 bytes of a username. Choose a shorter one.';
const servers = [new CardServer(), new CardServer()] as const;
const stamp = unique();
const seller = { email: `long-${stamp}@linekeeper.example`, password: 'long-seller-41-kite' };
const [cccam, newcamd] = [`Long ${stamp}`, `Longer ${stamp}`];
let ids: { cccam: string; newcamd: string };

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin, addServer }) => {
  for (const server of servers) await server.start();
  ids = {
    cccam: await addServer(cccam, servers[0]),
    newcamd: await addServer(newcamd, servers[1], {
      protocol: 'NewCamd',
      newcamd_ports: [{ port: 15_001, caid: '0500' }],
    }),
  };
  await admin.post('/api/accounts', { ...seller, group_id: '2', credits: 50 });
});
test.afterAll(async () => {
  for (const server of servers) await server.remove();
});

/** Adds a line of the seller with a long name, from before the rule about names. */
async function longLine(username: string): Promise<string> {
  const own = await apiOf(seller);
  const { line } = await own.post('/api/lines', {
    username: `short-${unique()}`,
    password: 'tulip-harbor-92-kite',
    subscription_months: 1,
    server_id: ids.cccam,
  });
  await storeDirectly([
    ['UPDATE server_accounts SET username = $2 WHERE username = $1', [line.username, username]],
    ['UPDATE users SET username = $2 WHERE id = $1', [line.id, username]],
  ]);
  // The server has the line by that name, so a comparison does not find it missing.
  await own.post(`/api/lines/${line.id}/sync`);
  await expect.poll(() => servers[0].read('CCcam.cfg')).toContain(`F: ${username} `);
  return line.id;
}

const dialog = (page: Page, username: string) =>
  page.getByRole('dialog', { name: `Rename ${username}` });

test('the form says while it is typed that a name is too long for the server', async ({ page }) => {
  await signIn(page, seller, '/users/add');
  const username = page.getByRole('textbox', { name: 'Username' });
  const choose = async (name: string) => {
    await page.getByLabel('Server').click();
    await page.getByRole('option', { name }).click();
  };
  await choose(cccam);
  await username.fill(`twenty-letters-${stamp}`.padEnd(21, 'x').slice(0, 21));
  await expect(page.getByText(TOO_LONG)).toBeVisible();
  await expect(username).toHaveAttribute('aria-invalid', 'true');
  await choose(newcamd);
  await expect(page.getByText('This username is available.')).toBeVisible();
  await choose(cccam);
  await expect(page.getByText(TOO_LONG)).toBeVisible();
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(page.getByRole('heading', { name: 'Line created' })).toHaveCount(0);
  await username.fill(`${await username.inputValue()}`.slice(0, 20));
  await expect(page.getByText('This username is available.')).toBeVisible();
  await expectAccessible(page);
});

test('a longer name from before is marked, found and renamed in one step', {
  tag: '@both',
}, async ({ page, isPhone }) => {
  const name = `kitchen-${stamp}-long-name`;
  const proposed = name.slice(0, 20);
  await longLine(name);
  await signIn(page, seller, '/users/all');
  await page.getByRole('link', { name: /^Long names/ }).click();
  await expect(page).toHaveURL(/long_name=true/);
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  await expectAccessible(page);
  if (isPhone) {
    await expect(rowOf(page, name).getByRole('img', { name: /first 20 bytes/ })).toBeVisible();
    await page.getByRole('link', { name, exact: true }).click();
  }
  await page.getByRole('button', { name: isPhone ? 'Rename' : `Rename ${name}` }).click();
  await expect(dialog(page, name)).toContainText('The customer has to enter the new name.');
  const field = dialog(page, name).getByRole('textbox', { name: 'Username' });
  await expect(field).toHaveValue(proposed);
  await expect(dialog(page, name)).toContainText('This username is available.');
  await expectAccessible(page);
  await dialog(page, name).getByRole('button', { name: 'Rename line' }).click();
  await expect(page.getByText(`The new name is ${proposed}.`)).toBeVisible();
  await expect(page.getByText(name, { exact: true })).toHaveCount(0);
  await expect.poll(() => servers[0]?.read('CCcam.cfg')).toContain(`F: ${proposed} tulip`);
});

test('the dashboard and the page of the line lead to the rename', async ({ page }) => {
  const name = `attention-${stamp}-long`.padEnd(30, 'x');
  const id = await longLine(name);
  await signIn(page, seller);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText(`${name} is too long for CCcam`);
  await attention.getByRole('button', { name: `Rename ${name}` }).click();
  await dialog(page, name).getByRole('button', { name: 'Cancel' }).click();
  await attention.getByRole('link', { name: `${name} is too long for CCcam` }).click();
  await expect(page).toHaveURL(new RegExp(`line=${id}`));
  const panel = page.getByRole('complementary', { name: `Line ${name}` });
  await expect(panel.getByRole('status').first()).toContainText('The name is too long for CCcam');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Rename' }).click();
  const field = dialog(page, name).getByRole('textbox', { name: 'Username' });
  await field.fill(`${name.slice(0, 20)}y`);
  await expect(dialog(page, name)).toContainText(TOO_LONG);
  await field.fill(`att-${stamp}`);
  await dialog(page, name).getByRole('button', { name: 'Rename line' }).click();
  await expect(page.getByRole('complementary', { name: `Line att-${stamp}` })).toBeVisible();
  await expect(page.getByText('The name is too long for CCcam')).toHaveCount(0);
});

test('moving all lines says which names do not fit', async ({ page, admin }) => {
  const username = `moved-${stamp}-long-name`;
  const { line } = await admin.post('/api/lines', {
    username,
    password: 'tulip-harbor-92-kite',
    subscription_months: 1,
    server_id: ids.newcamd,
  });
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: newcamd });
  await card.getByRole('button', { name: `More actions for ${newcamd}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const move = page.getByRole('dialog');
  await move.getByRole('radio', { name: cccam }).check();
  await move.getByRole('button', { name: /^Move/ }).click();
  await expect(move).toContainText('1 username cannot be used on a CCcam server');
  await expect(move).toContainText(username);
  await expectAccessible(page);
  await admin.delete(`/api/lines/${line.id}`);
});
