import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { agentCredentials } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
test.beforeAll(() => cardServer.start());
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

test('an administrator adds a server, tests it and removes it', {
  tag: ['@spec:1.8', '@spec:9.9', '@spec:9.10'],
}, async ({ page }) => {
  const name = `Added ${unique()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  await expect(page.getByLabel('CCcam port')).toHaveValue('12000');
  await page.getByText('More settings').click();
  await expect(page.getByLabel('API port')).toHaveValue('3000');
  await page.getByLabel('Server name').fill(name);
  await page.getByLabel('Address for customers').fill('127.0.0.1');
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('API port').fill(String(cardServer.port));
  await page.getByRole('textbox', { name: 'Username' }).fill(agentCredentials.username);
  await page.locator('input[name="password"]').fill(agentCredentials.password);
  await page.getByRole('button', { name: 'Add server' }).click();

  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await page.goto('/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card.getByText('Active')).toBeVisible();
  await card.getByRole('link', { name }).click();
  const offered = page.getByRole('switch', { name: 'Offered for new lines' });
  await expect(offered).toBeChecked();
  await offered.uncheck();
  await expect(page.getByText(`${name} saved`)).toBeVisible();
  await page.goto('/cccam-servers/manage');
  await expect(card.getByText('Not offered')).toBeVisible();
  await card.getByRole('button', { name: 'Offer to sellers' }).click();
  await expect(page.getByText(`${name} saved`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card.getByText('Not offered')).toBeVisible();
  await card.getByRole('link', { name }).click();
  await offered.check();
  await expect(page.getByText(`${name} saved`)).toBeVisible();
  await expect(page.getByText('Not offered')).toHaveCount(0);
  await expect(offered).toBeChecked();
  await page.goto('/cccam-servers/manage');
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card.getByText('Active')).toBeVisible();
  await card
    .getByRole('button', { name: new RegExp(`${name}|more`, 'i') })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(card).toHaveCount(0);
});

test('what is missing or wrong is named and the input kept', {
  tag: ['@spec:5.13', '@spec:5.14'],
}, async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/add');
  await page.getByLabel('Server name').fill('Half a server');
  await page.getByLabel('CCcam port').fill('70000');
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(page.getByText('Missing required fields: Address for customers')).toBeVisible();
  await expect(page.getByText('CCcam port must be between 1 and 65535').first()).toBeVisible();
  await expect(page.getByLabel('Server name')).toHaveValue('Half a server');
  await expect(page.getByLabel('CCcam port')).toHaveValue('70000');

  // A card server with its own API needs all values that an agent would report.
  await page.getByLabel('CCcam port').fill('12000');
  await page.getByLabel('Address for customers').fill('127.0.0.1');
  await page.getByText('More settings').click();
  await page.getByRole('textbox', { name: 'Username' }).fill('panel');
  await page.getByText('More settings').click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(page.getByText('Missing required fields: Host, Password')).toBeVisible();
  await expect(page.getByLabel('Host')).toBeVisible();
});

test('a server that cannot be reached says so in its card', { tag: '@spec:8.16' }, async ({
  page,
}) => {
  await signIn(page, 'admin', '/cccam-servers/manage?q=Leeds+1');
  // Scoped to the main content, because results have the same text.
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Leeds 1' });
  await card.getByRole('button', { name: 'Test again' }).click();
  await expect(card.getByText('Failed to connect to server: connection refused')).toBeVisible();
  await expect(card.getByText('Error', { exact: true })).toBeVisible();
});

test('the lines of a server are moved before it is deleted', async ({ page, admin, addServer }) => {
  const stamp = unique();
  const old = new CardServer();
  await old.start();
  const server_id = await addServer(`Leaving ${stamp}`, old);
  await addServer(`Staying ${stamp}`, cardServer);
  const line = { password: 'pw-moved', subscription_months: 1, server_id };
  await admin.post('/api/lines', { ...line, username: `moved-${stamp}` });
  expect(await old.read('CCcam.cfg')).toContain(`F: moved-${stamp} `);

  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: `Leaving ${stamp}` });
  await card.getByRole('button', { name: `More actions for Leaving ${stamp}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This server still has 1 line.');
  await dialog.getByRole('button', { name: 'Move lines' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose a server');
  await dialog.getByRole('radio', { name: `Staying ${stamp}` }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move lines' }).click();
  await expect(page.getByText(`Lines moved to Staying ${stamp}: 1`)).toBeVisible();

  // The push loop removes the name from the old server within moments, and the dialog polls.
  await dialog.getByRole('button', { name: 'Delete server' }).click();
  await expect(card).toHaveCount(0);
  await expect.poll(() => cardServer.read('CCcam.cfg')).toContain(`F: moved-${stamp} `);
  expect(await old.read('CCcam.cfg')).not.toContain(`F: moved-${stamp} `);
  await old.remove();
});

test('a call is tried out and what was sent and said is shown', async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/manage?q=Frankfurt+1');
  await page.getByRole('link', { name: 'Frankfurt 1', exact: true }).click();
  await page.getByRole('link', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Health: Passed')).toBeVisible();
  await page.getByText('Test API: single calls').click();
  await page.getByRole('combobox', { name: 'Call' }).click();
  await page.getByRole('option', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Send call' }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await page.getByRole('textbox', { name: 'Username' }).fill('nobody-there');
  await page.getByRole('button', { name: 'Send call' }).click();
  await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible();
  await expect(page.getByText(/DELETE http:.*\/delete-user/)).toBeVisible();
  await expect(page.getByText('404', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('what an agent refuses is read in German', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('app-language', 'de'));
  await signIn(page, 'admin', '/cccam-servers/manage?q=Frankfurt+1');
  await page.getByRole('link', { name: 'Frankfurt 1', exact: true }).click();
  await page.getByRole('link', { name: 'Verbindungstest', exact: true }).click();
  await page.getByText('API testen: einzelne Aufrufe').click();
  const choose = async (call: string) => {
    await page.getByRole('combobox', { name: 'Aufruf' }).click();
    await page.getByRole('option', { name: call }).click();
    await page.getByRole('textbox', { name: 'Benutzername' }).fill('nobody-there');
  };
  await choose('Konto löschen');
  await page.getByRole('button', { name: 'Aufruf senden' }).click();
  await expect(page.getByText('Linie nicht gefunden')).toBeVisible();
  await choose('Konto bearbeiten');
  await page.getByRole('textbox', { name: 'Neues Passwort' }).fill('p#w');
  await page.getByRole('button', { name: 'Aufruf senden' }).click();
  await expect(page.getByText('Passwort: „#“ ist nicht erlaubt')).toBeVisible();
});

test.describe(() => {
  test.use({ viewport: { width: 1280, height: 800 } });
  test('what a server has not taken is seen, tried again and gone', async ({
    page,
    admin,
    addServer,
  }) => {
    const stamp = unique();
    const away = new CardServer();
    await away.start();
    const server_id = await addServer(`Away ${stamp}`, away);
    await away.stop();
    const line = { password: 'pw', subscription_months: 1, server_id };
    await admin.post('/api/lines', { ...line, username: `waits-${stamp}` });
    await admin.post(`/api/servers/${server_id}/test`);

    // Other tests leave pushes behind, which fill the first page.
    await signIn(page, 'admin', `/cccam-servers/sync?q=waits-${stamp}`);
    const row = page.getByRole('row').filter({ hasText: `waits-${stamp}` });
    await expect(row).toContainText('Failed');
    await expect(row).toContainText('connection refused');
    await expectAccessible(page);
    for (const language of ['de', 'pl', 'pt', 'en']) {
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.reload();
      await expect(row.getByRole('cell', { name: /\d:\d\d/ })).toBeVisible();
      const beyond = await row.evaluate((element) => {
        const right = (one: Element | null | undefined) => one?.getBoundingClientRect().right ?? 0;
        return right(element.lastElementChild) - right(element.closest('table')?.parentElement);
      });
      expect(beyond, `${language}: the row's button lies outside`).toBeLessThanOrEqual(0);
    }
    await away.start();
    await row.getByRole('button', { name: `Retry waits-${stamp}` }).click();
    await expect(row).toHaveCount(0);
    await expect.poll(() => away.read('CCcam.cfg')).toContain(`F: waits-${stamp} `);
    await away.remove();
  });
});

test('a user that is no line is found by comparing and removed', async ({ page, admin }) => {
  const username = `stray-${unique()}`;
  const configuration = {
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: cardServer.port,
    ...agentCredentials,
  };
  await admin.post('/api/servers', { ...configuration, server_name: username });
  const user = { username, password: 'pw', expiry_date: '31-12-2090' };
  await admin.post('/api/servers/test-call', { configuration, call: 'add', arguments: user });
  expect(await cardServer.read('CCcam.cfg')).toContain(`F: ${username} `);

  await signIn(page, 'admin', '/cccam-servers/manage');
  await page.getByRole('link', { name: username, exact: true }).click();
  await page.getByRole('link', { name: 'Differences', exact: true }).click();
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: username });
  await expect(row).toContainText('Not in the panel');
  await expect(row.getByRole('link', { name: `Take over: ${username}` })).toBeVisible();
  await expectAccessible(page);
  await expect(row.getByRole('button', { name: `Remove: ${username}` })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Remove usernames not in the panel' }).check();
  await page.getByRole('button', { name: 'Fix differences' }).click();
  await expect.poll(() => cardServer.read('CCcam.cfg')).not.toContain(`F: ${username} `);
  await page.getByRole('button', { name: 'Compare again' }).click();
  await expect(page.getByText('All accounts match')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Differences', exact: true })).toBeVisible();
});

test('settings are a tab of the page of a server, and its resellers are told from its menu', {
  tag: '@both',
}, async ({ page, admin, addServer }) => {
  const name = `Tab ${unique()}`;
  const id = await addServer(name, cardServer);
  const line = { password: 'pw-told', subscription_months: 1, server_id: id };
  await admin.post('/api/lines', { ...line, username: `told-${unique()}` });
  await signIn(page, 'admin', `/cccam-servers/edit/${id}`);
  await expect(page).toHaveURL(`/cccam-servers/${id}/edit`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const tab = page.getByRole('link', { name: 'Edit', exact: true });
  await expect(tab).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  await page.getByLabel('Server name').fill(`${name} renamed`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(`/cccam-servers/${id}`);
  await expect(page.getByRole('heading', { name: `${name} renamed`, level: 1 })).toBeVisible();

  await page.getByRole('button', { name: `More actions for ${name} renamed` }).click();
  await page.getByRole('menuitem', { name: 'Notify resellers' }).click();
  await expect(page.getByRole('heading', { name: 'Create Message' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Server' })).toContainText(`${name} renamed`);
});

test('one difference is mended, or removed, beside the others', { tag: '@both' }, async ({
  page,
  admin,
  addServer,
}) => {
  const own = new CardServer();
  await own.start();
  const stamp = unique();
  const id = await addServer(`Differs ${stamp}`, own);
  const line = { password: 'pw-differs', subscription_months: 1, server_id: id };
  await admin.post('/api/lines', { ...line, username: `lost-${stamp}` });
  const { host_ip, port, api_port } = await admin.get(`/api/servers/${id}`);
  const configuration = { host_ip, port, api_port, ...agentCredentials };
  const call = (name: string, args: object) =>
    admin.post('/api/servers/test-call', { configuration, call: name, arguments: args });
  await call('delete', { username: `lost-${stamp}` });
  for (const username of [`stray-${stamp}`, `kept-${stamp}`])
    await call('add', { username, password: 'pw', expiry_date: '31-12-2090' });

  await signIn(page, 'admin', `/cccam-servers/${id}/differences`);
  const main = page.getByRole('main');
  await expectAccessible(page);
  await main.getByRole('button', { name: `Remove: stray-${stamp}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Remove stray-${stamp} from`);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => own.read('CCcam.cfg')).not.toContain(`F: stray-${stamp} `);
  await expect(main.getByText(`kept-${stamp}`)).toBeVisible();
  const again = main.getByRole('button', { name: `Send again: lost-${stamp}` });
  // The panel may have sent the account again on its own.
  if (await again.isVisible()) await again.click();
  await expect.poll(() => own.read('CCcam.cfg')).toContain(`F: lost-${stamp} `);
  expect(await own.read('CCcam.cfg')).toContain(`F: kept-${stamp} `);
  await own.remove();
  await takeServersBack(admin);
});
