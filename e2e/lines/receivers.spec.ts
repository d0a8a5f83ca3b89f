import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
const stamp = unique();
const both = `Warsaw ${stamp}`;
const password = 'tulip-harbor-92-kite';
const key = '01 02 03 04 05 06 07 08 09 10 11 12 13 14';
let server_id = '';
let seller: Api;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, reseller }) => {
  await cardServer.start();
  seller = reseller;
  server_id = await addServer(both, cardServer, {
    public_host: 'waw2.lines.example',
    newcamd_ports: [
      { port: 12_001, caid: '0500', provid: '030b00' },
      { port: 12_002, caid: '0b00' },
    ],
  });
});
test.afterAll(() => cardServer.remove());

/** Opens the tab of the line's page with the receiver settings. */
async function openCredentials(page: Page, username: string) {
  await page.goto(`/users/all?q=${username}`);
  await page.getByRole('link', { name: username, exact: true }).click();
  await page.getByRole('link', { name: 'Receiver', exact: true }).click();
  await expect(page.getByText('What the customer enters')).toBeVisible();
  return page.locator('aside, main').filter({ hasText: 'What the customer enters' }).last();
}

async function choose(page: Page, within: Locator, way: string): Promise<void> {
  await within
    .getByRole('button', { name: /^More actions for/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: way }).click();
}

/** Number of times that the audit log has a reveal of the line's password. */
async function looks(admin: Api, id: string): Promise<number> {
  const { items } = await admin.get('/api/audit?action=line.reveal&limit=100');
  return items.filter(({ subject_id }: { subject_id: string }) => subject_id === id).length;
}

async function expectCopied(page: Page, text: string): Promise<void> {
  await expect.poll(() => clipboardText(page)).toBe(text);
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('credentials are masked until they are asked for, and copied whole', {
    tag: '@main',
  }, async ({ page, context, admin }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { username, id } = await sellLine(seller, 'both', { server_id });
    await signIn(page, 'reseller', '/');
    const dialog = await openCredentials(page, username);
    await expect(dialog.getByText(password)).toHaveCount(0);
    await expect(dialog.getByText('waw2.lines.example').first()).toBeVisible();
    expect(await looks(admin, id)).toBe(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy C line' }).click();
    await expectCopied(page, `C: waw2.lines.example 12000 ${username} ${password}`);
    await expect(dialog.getByText(password)).toHaveCount(0);

    await dialog.getByText('N lines', { exact: true }).click();
    await expect(dialog.getByText('CAID 0B00')).toBeVisible();
    const nLine = (port: number) => `N: waw2.lines.example ${port} ${username} ${password} ${key}`;
    await dialog.getByRole('button', { name: 'Copy N lines' }).click();
    await expectCopied(page, `${nLine(12001)}\n${nLine(12002)}`);
    await dialog.getByRole('button', { name: 'Copy the N line of CAID 0B00' }).click();
    await expectCopied(page, nLine(12002));
    await dialog.getByRole('button', { name: 'Show password' }).click();
    await expect(dialog.getByText(password)).toHaveCount(2);
    await expectAccessible(page);
    await choose(page, dialog, 'QR');
    await expect(dialog.getByRole('img', { name: 'QR code: N lines' })).toBeVisible();

    await dialog.getByText('OSCam reader', { exact: true }).click();
    await dialog.getByText('NewCamd, readers: 2').click();
    await expect(dialog.getByText(/protocol += newcamd/)).toBeVisible();
    await expectAccessible(page);
    const oscam = page.waitForEvent('download');
    await choose(page, dialog, 'Download');
    expect((await oscam).suggestedFilename()).toBe('oscam.server');
    await dialog.getByText('C line', { exact: true }).click();
    const config = page.waitForEvent('download');
    await choose(page, dialog, 'Download');
    expect((await config).suggestedFilename()).toBe(`${username}.cfg`);
    // The password was revealed once, regardless of how often it was used.
    expect(await looks(admin, id)).toBe(1);

    // The format that was chosen last is shown again.
    await dialog.getByText('N lines', { exact: true }).click();
    const again = await openCredentials(page, username);
    await expect(again.getByRole('radio', { name: 'N lines' })).toBeChecked();
    await expect(again.getByText(password)).toHaveCount(0);
  });

  test('a server without NewCamd ports says so, and leads an administrator to its form', async ({
    page,
    admin,
    addServer,
  }) => {
    const name = `Lisbon ${unique()}`;
    const newcamd = { public_host: 'lis1.lines.example', port: 15_000 };
    const id = await addServer(name, cardServer, newcamd);
    const { username } = await sellLine(seller, 'newcamd', { server_id: id });
    // Without ports no line is sold on the server, but it may have older lines.
    await admin.patch(`/api/servers/${id}`, { protocol: 'NewCamd' });
    await signIn(page, 'admin', '/');
    const dialog = await openCredentials(page, username);
    await expect(dialog.getByText(`${name} has no NewCamd ports yet`)).toBeVisible();
    await expect(dialog.getByText('C line', { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Add ports' }).click();

    await page.getByLabel('DES key').fill('A1B2C3D4E5F60718293A4B5C6D7');
    await page.getByRole('button', { name: 'Add port' }).click();
    await page.getByLabel('CAID').fill('1884');
    await expect(page.getByText('Enter 28 hexadecimal digits')).toBeVisible();
    await page.getByLabel('DES key').fill('A1B2C3D4E5F60718293A4B5C6D7E');
    await expect(
      page.getByText(
        'N: lis1.lines.example 15001 username password a1 b2 c3 d4 e5 f6 07 18 29 3a 4b 5c 6d 7e',
      ),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add port' }).click();
    await page.getByLabel('CAID').nth(1).fill('zz');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Enter 4 hexadecimal digits')).toBeVisible();
    await page.getByRole('button', { name: 'Remove port 15002' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change settings' }).click();
    await expect(page.getByText(`${name} saved`)).toBeVisible();
    expect(await admin.get(`/api/servers/${id}`)).toMatchObject({
      des_key: 'a1b2c3d4e5f60718293a4b5c6d7e',
      newcamd_ports: [{ port: 15_001, caid: '1884' }],
    });

    const filled = await openCredentials(page, username);
    await expect(filled.getByText('CAID 1884')).toBeVisible();
    await expect(filled.getByText('C line', { exact: true })).toHaveCount(0);
  });
});

test('a sale shows all of it at once, and prints it for the customer', async ({
  page,
  context,
  admin,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const username = `printed-${unique()}`;
  await page.addInitScript(() => {
    window.print = () => {};
  });
  await signIn(page, 'reseller', '/users/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole('radio', { name: /^1 month/ }).check();
  await page.getByLabel('Server').click();
  await page.getByRole('option', { name: both }).click();
  await page.getByRole('button', { name: /^Create line for/ }).click();
  await expect(page.getByText(password).first()).toBeVisible();
  const { items } = await seller.get(`/api/lines?q=${username}`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect
    .poll(() => clipboardText(page))
    .toContain(
      `C: waw2.lines.example 12000 ${username} ${password}\n` +
        `N: waw2.lines.example 12001 ${username} ${password} ${key} # CAID 0500`,
    );
  await choose(page, page.getByRole('main'), 'Print');
  await expect(page.getByText('Your line', { exact: true })).toBeAttached();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'For CCcam receivers' })).toBeVisible();
  const line = page.getByText(`C: waw2.lines.example 12000 ${username} ${password}`);
  await expect(line.filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('row', { name: /^0B00 waw2.lines.example 12002/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Add line' })).toBeHidden();
  // Nothing was revealed: the seller had typed the password.
  expect(await looks(admin, items[0].id)).toBe(0);
});

test('what is copied from the line has the N lines', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { username } = await sellLine(seller, 'palette', { server_id });
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  await page.getByRole('link', { name: username, exact: true }).click();
  await page.getByRole('button', { name: `Copy credentials of ${username}` }).click();
  await expect
    .poll(() => clipboardText(page))
    .toContain(`N: waw2.lines.example 12002 ${username} ${password} ${key}`);
});
