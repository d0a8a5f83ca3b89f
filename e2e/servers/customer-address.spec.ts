import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText } from '../support/page.ts';
import { agentCredentials } from '../support/people.ts';
import { openResults, resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
test.beforeAll(async () => {
  await cardServer.start();
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

async function sell(admin: Api, username: string, server_id: string, more: object = {}) {
  const line = { username, password: 'tulip-harbor-1', subscription_months: 1, server_id };
  return (await admin.post('/api/lines', { ...line, ...more })).line as { id: string };
}

/** The rows of a file to which a link leads. */
async function fileOf(page: Page, click: () => Promise<void>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const text = await readFile(await download.path(), 'utf8');
  return text
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n');
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

async function openMenu(page: Page, name: string, entry: string) {
  await cardOf(page, name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('the form shows what the customer gets at each key press, and warns where nobody reaches it', async ({
  page,
}) => {
  const name = `Public ${unique()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  const form = page.getByRole('form', { name: 'Add server' });
  await page.getByLabel('Server name').fill(name);
  await page.getByText('More settings').click();
  await page.getByLabel('Host').fill('127.0.0.1');
  await expect(form).toContainText('C: 127.0.0.1 12000 username password');
  await expect(form).toContainText('127.0.0.1 is the machine itself (loopback).');
  const address = page.getByLabel('Address for customers');
  for (const [host, warning] of [
    ['192.168.1.20', '192.168.1.20 is a private address.'],
    ['169.254.1.1', '169.254.1.1 is a link-local address.'],
    ['oscam.local', 'oscam.local is a name on a local network.'],
    ['oscam', 'oscam is a name without a domain.'],
  ] as const) {
    await address.fill(host);
    await expect(form).toContainText(`C: ${host} 12000 username password`);
    await expect(form).toContainText(warning);
  }
  await expectAccessible(page);
  await address.fill('fra1.lines.example');
  await page.getByLabel('Port for customers').fill('443');
  await expect(form).toContainText('C: fra1.lines.example 443 username password');
  await expect(form).not.toContainText('Customers elsewhere');

  await page.getByLabel('API port').fill(String(cardServer.port));
  await page.getByRole('textbox', { name: 'Username' }).fill(agentCredentials.username);
  await page.locator('input[name="password"]').fill(agentCredentials.password);
  await page.getByRole('button', { name: 'Add server' }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText('C: fra1.lines.example 443 username password');
  await page.getByRole('switch', { name: 'Offered for new lines' }).check();
  await expect(main.getByText('Active', { exact: true })).toBeVisible();

  const username = `public-${unique()}`;
  await page.goto('/users/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(page.getByText('fra1.lines.example', { exact: true }).last()).toBeVisible();
  await expect(page.getByText('443', { exact: true }).last()).toBeVisible();
});

test('a server whose customers cannot reach it says so in its card', { tag: '@main' }, async ({
  page,
  addServer,
}) => {
  const name = `Private ${unique()}`;
  await addServer(name, cardServer, { public_host: '10.0.0.5' });
  await signIn(page, 'admin', `/cccam-servers/manage?q=${encodeURIComponent(name)}`);
  await expect(cardOf(page, name)).toContainText('10.0.0.5 is a private address.');
});

test('a change of the address asks first, with the customers it concerns, and lists them', async ({
  page,
  admin,
  newAccount,
  addServer,
}) => {
  const stamp = unique();
  const seller = await newAccount({ credits: 10 });
  const id = await addServer(`Renamed ${stamp}`, cardServer, { public_host: 'old.lines.example' });
  await sell(admin, `first-${stamp}`, id, {
    owner_id: seller.id,
    name: 'Anna',
    notes: 'pays late',
  });
  await sell(admin, `second-${stamp}`, id, { host_port: ['mine.example:1'] });
  await signIn(page, 'admin', `/cccam-servers/edit/${id}`);
  await page.getByLabel('Address for customers').fill('new.lines.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 customer must change the host');
  await expect(dialog).toContainText('C: old.lines.example 12000 username password');
  await expect(dialog).toContainText('C: new.lines.example 12000 username password');
  await expect(dialog.getByText('12000', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  const row = [
    `first-${stamp}`,
    'Anna',
    seller.email,
    'pays late',
    `C: old.lines.example 12000 first-${stamp} password`,
    `C: new.lines.example 12000 first-${stamp} password`,
  ];
  const expected = [
    '"username","name","owner_email","notes","old","new"',
    row.map((cell) => `"${cell}"`).join(','),
  ];
  const list = dialog.getByRole('link', { name: 'Download the list (CSV)' });
  expect(await fileOf(page, () => list.click())).toEqual(expected);

  await dialog.getByRole('button', { name: 'Change settings' }).click();
  await expect(page.getByRole('heading', { name: 'Notify 1 customer' })).toBeVisible();
  const csv = page.getByRole('link', { name: 'Download CSV' });
  expect(await fileOf(page, () => csv.click())).toEqual(expected);
  await expectAccessible(page);

  const told = await apiOf(seller);
  const { items } = await told.get('/api/notifications');
  expect(items[0]).toMatchObject({ title: '1 customer must change receiver settings' });
});

test('where the address for customers stays, nothing is asked', async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const id = await addServer(`Same ${stamp}`, cardServer, { public_host: 'same.lines.example' });
  await sell(admin, `same-${stamp}`, id);
  await signIn(page, 'admin', `/cccam-servers/edit/${id}`);
  await page.getByLabel('Server name').fill(`Still ${stamp}`);
  await page.getByLabel('Port for customers').fill('12000');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(`/cccam-servers/${id}`);
  await expect(page.getByText(`Still ${stamp} saved`)).toBeVisible();
});

test('a move of all lines says what customers must change, and whom to tell afterwards', async ({
  page,
  context,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const from = await addServer(`From ${stamp}`, cardServer, { public_host: 'from.lines.example' });
  await addServer(`Twin ${stamp}`, cardServer, { public_host: 'from.lines.example' });
  await addServer(`To ${stamp}`, cardServer, { public_host: 'to.lines.example', public_port: 443 });
  await sell(admin, `moves-a-${stamp}`, from);
  await sell(admin, `moves-b-${stamp}`, from);
  await signIn(page, 'admin', `/cccam-servers/manage?q=${stamp}`);
  await openMenu(page, `From ${stamp}`, 'Move lines');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Move lines' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose a server');
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  const choose = (name: RegExp) => dialog.getByRole('radio', { name }).check();
  await choose(new RegExp(`Twin ${stamp}.*Customers do not have to change anything`));
  await expect(
    dialog.getByRole('heading', { name: 'Customers do not have to change anything' }),
  ).toBeVisible();
  await expect(dialog).toContainText('C: from.lines.example 12000 username password');
  await choose(new RegExp(`^To ${stamp}.*2 customers must change the host and port`));
  await expect(
    dialog.getByRole('heading', { name: '2 customers must change the host and port' }),
  ).toBeVisible();
  await expect(dialog.getByText('to.lines.example', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const list = dialog.getByRole('link', { name: 'Download the list (CSV)' });
  const before = await fileOf(page, () => list.click());
  expect(before[1]).toContain(`"C: to.lines.example 443 moves-a-${stamp} password"`);
  await dialog.getByRole('button', { name: 'Move lines' }).click();
  await expect(page.getByRole('heading', { name: 'Notify 2 customers' })).toBeVisible();
  const csv = page.getByRole('link', { name: 'Download CSV' });
  expect(await fileOf(page, () => csv.click())).toEqual(before);
  await expect(page.getByRole('main')).toContainText(`C: to.lines.example 443 moves-a-${stamp} ••`);
  await expectAccessible(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // In the seller's own words for a new address.
  await admin.put('/api/me/texts', { moved: { en: 'New: {c_line} Ewa' } });
  await page.reload();
  await expect(page.getByRole('main')).toContainText(/New: C: to.lines.example 443 .* Ewa/);
  await expect(page.getByRole('link', { name: 'Edit text' })).toBeVisible();
  // One customer reads another language, which has a text of its own.
  await page
    .getByRole('combobox', { name: `Language of the text for moves-b-${stamp}` })
    .selectOption('DE');
  await page.getByRole('button', { name: `Copy the text for moves-b-${stamp}` }).click();
  await expect.poll(() => clipboardText(page)).toContain('Guten Tag');
  await expect(page.getByRole('checkbox', { name: 'moves-b-' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect
    .poll(() => clipboardText(page))
    .toBe(`New: C: to.lines.example 443 moves-a-${stamp} tulip-harbor-1 Ewa`);
  await admin.put('/api/me/texts', { moved: { en: null } });
  await expect(page.getByText('All notified')).toBeVisible();
  await page.getByRole('radio', { name: 'Notified 2' }).check();
  await expect(page.getByRole('checkbox', { name: /has been notified$/ })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: `moves-b-${stamp} has been notified` }).click();
  await expect(page.getByRole('radio', { name: 'Not notified 1' })).toBeVisible();
});

test('of a NewCamd server N lines are told, before a move and before another key', async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const from = await addServer(`Plain ${stamp}`, cardServer, {
    public_host: 'plain.lines.example',
  });
  const to = await addServer(`Newcamd ${stamp}`, cardServer, {
    public_host: 'newcamd.lines.example',
    public_port: 13000,
  });
  await admin.patch(`/api/servers/${to}`, {
    protocol: 'NewCamd',
    newcamd_ports: [
      { port: 15001, caid: '0500' },
      { port: 15002, caid: '0b00' },
    ],
  });
  await sell(admin, `newcamd-${stamp}`, from);
  await signIn(page, 'admin', `/cccam-servers/manage?q=${stamp}`);
  await expect(cardOf(page, `Newcamd ${stamp}`)).toContainText(
    'newcamd.lines.example:15001, 15002',
  );
  await openMenu(page, `Plain ${stamp}`, 'Move lines');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: `Newcamd ${stamp}` }).check();
  const key = '01 02 03 04 05 06 07 08 09 10 11 12 13 14';
  await expect(dialog).toContainText('1 customer must change receiver settings');
  await expect(dialog).toContainText('C: plain.lines.example 12000 username password');
  for (const port of [15001, 15002]) {
    const line = `N: newcamd.lines.example ${port} username password ${key} # CAID`;
    await expect(dialog).toContainText(line);
  }
  await expect(dialog).not.toContainText('13000');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move lines' }).click();
  await expect(page.getByRole('heading', { name: 'Notify 1 customer' })).toBeVisible();

  await page.goto(`/cccam-servers/edit/${to}`);
  await page.getByLabel('DES key').fill('aa'.repeat(14));
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toContainText('1 customer must change receiver settings');
  const changed = `15002 username password ${Array(14).fill('aa').join(' ')}`;
  await expect(dialog).toContainText(changed);
  const list = dialog.getByRole('link', { name: 'Download the list (CSV)' });
  expect((await fileOf(page, () => list.click()))[1]).toContain(`newcamd-${stamp} password aa aa`);
  await dialog.getByRole('button', { name: 'Change settings' }).click();
  await expect(page.getByRole('heading', { name: 'Notify 1 customer' })).toBeVisible();
});

test('so does a move of chosen lines, and of one line in its dialog', async ({
  page,
  admin,
  addServer,
}) => {
  const stamp = unique();
  const from = await addServer(`Here ${stamp}`, cardServer, { public_host: 'here.lines.example' });
  await addServer(`There ${stamp}`, cardServer, { public_host: 'there.lines.example' });
  const { id } = await sell(admin, `chosen-a-${stamp}`, from);
  await sell(admin, `chosen-b-${stamp}`, from, { host_port: ['mine.example:1'] });
  await signIn(page, 'admin', `/users/${id}`);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const one = page.getByRole('dialog');
  await one.getByRole('radio', { name: `There ${stamp}` }).check();
  await expect(one).toContainText('1 customer must change the host');
  await expect(one).toContainText('C: there.lines.example 12000');
  await one.getByRole('button', { name: 'Move line' }).click();
  const moved = resultOf(page, `chosen-a-${stamp} moved`);
  await moved.getByRole('button', { name: '1 customer to notify' }).click();
  await expect(page.getByRole('heading', { name: 'Notify 1 customer' })).toBeVisible();
  const results = await openResults(page);
  const row = results.getByRole('listitem').filter({ hasText: `chosen-a-${stamp} moved` });
  await row.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('dialog', { name: `Undo “Move of chosen-a-${stamp}”?` });
  await expect(question).toContainText('a second time');
  await question.getByRole('button', { name: 'Undo' }).click();
  const back = results
    .getByRole('listitem')
    .filter({ hasText: `Move of chosen-a-${stamp} undone` });
  await back.getByRole('link', { name: '1 customer to notify' }).click();
  await expect(page.getByRole('main')).toContainText(
    `C: here.lines.example 12000 chosen-a-${stamp}`,
  );

  await page.goto(`/users/all?server=${from}`);
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog');
  // The effect is shown before the choice: one of the two customers has an address of another kind.
  const target = dialog.getByRole('radio', {
    name: new RegExp(`^There ${stamp}.*1 customer must change the host`),
  });
  await expect(target).toBeVisible();
  await expect(dialog.getByRole('radio', { name: new RegExp(`^Here ${stamp}`) })).toHaveCount(0);
  await target.check();
  await expect(dialog).toContainText('1 customer must change the host');
  await expect(dialog).toContainText('C: here.lines.example 12000');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move 2 lines' }).click();
  const result = resultOf(page, '2 lines moved');
  await result.getByRole('button', { name: '1 customer to notify' }).click();
  const csv = page.getByRole('link', { name: 'Download CSV' });
  const rows = await fileOf(page, () => csv.click());
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(`"C: there.lines.example 12000 chosen-a-${stamp} password"`);
});
