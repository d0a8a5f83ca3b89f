import { forwardPort } from '../../packages/oscam/src/testing/oscam.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { oscamCredentials, oscamFingerprint, startOwnOscam } from '../support/oscam.ts';
import { rowOf } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test.afterAll(async ({ admin }) => takeServersBack(admin));

test('the way to a server is chosen by keyboard, and saved before it works', {
  tag: '@both',
}, async ({ page, admin }) => {
  const name = `By its web interface ${unique()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  const port = page.getByRole('textbox', { name: 'Port', exact: true });
  const agent = page.getByRole('radio', { name: 'Linekeeper agent' });
  const webif = page.getByRole('radio', { name: 'OSCam’s web interface' });
  await expect(agent).toBeChecked();
  await expect(page.getByText('The agent has not contacted the panel yet')).toBeVisible();
  await agent.focus();
  await page.keyboard.press('ArrowRight');
  await expect(webif).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('up to about 2,000 lines')).toBeVisible();
  await expect(page.getByText('The agent has not contacted the panel yet')).toHaveCount(0);
  await expect(port).toHaveValue('8888');
  await expect(page.getByText('httpuser in oscam.conf')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(page.getByText(/Missing required fields: Server name, Address of/)).toBeVisible();
  await page.getByLabel('Server name').fill(name);
  await page.getByLabel('Address of the web interface').fill('127.0.0.1');
  await expect(page.getByLabel('Address for customers')).toHaveValue('127.0.0.1');
  await expect(page.getByText('127.0.0.1 is the machine itself')).toBeVisible();
  await page.getByLabel('Address for customers').fill('gdn1.lines.example');
  await page.getByLabel('Address of the web interface').fill('localhost');
  await expect(page.getByLabel('Address for customers')).toHaveValue('gdn1.lines.example');
  await port.fill(String(await freePort()));
  await page.getByLabel('Username', { exact: true }).fill('panel');
  await page.locator('input[name="password"]').fill('kestrel');

  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('and that httpport is set in oscam.conf')).toBeVisible();
  await expect(page.getByText('not tried')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('It stays inactive until a test passes.')).toBeVisible();
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const { items } = await admin.get(`/api/servers?q=${encodeURIComponent(name)}`);
  expect(items).toMatchObject([{ kind: 'oscam_webif', host_ip: 'localhost', api_scheme: 'http' }]);
});

test('OSCam is reached step by step, sold on, and shows who is on it', {
  tag: '@both',
}, async ({ page, admin }) => {
  const name = `Step by step ${unique()}`;
  const { oscam, stop } = await startOwnOscam();
  try {
    await oscam.edit('of-the-operator');
    await signIn(page, 'admin', '/cccam-servers/add');
    await page.getByRole('radio', { name: 'OSCam’s web interface' }).check();
    await page.getByLabel('Server name').fill(name);
    await page.getByLabel('Address of the web interface').fill('127.0.0.1');
    await page.getByRole('textbox', { name: 'Port', exact: true }).fill(String(oscam.ports.webif));
    await page.getByLabel('Username', { exact: true }).fill(oscamCredentials.user);
    const password = page.locator('input[name="password"]');
    await password.fill('not this one');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('This port requires https')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('switch', { name: 'Encrypted (https)' }).check();

    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('is it the same on the card server?')).toBeVisible();
    await expect(page.locator('code', { hasText: oscamFingerprint })).toBeVisible();
    expect(oscam.signIns).toEqual({ admitted: 0, refused: 0 });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await expect(page.getByText('The password was not sent')).toBeVisible();
    await page.getByRole('button', { name: 'Yes, they match' }).click();
    await expect(page.getByText('Username or password is wrong (401)')).toBeVisible();
    await password.fill(oscamCredentials.password);

    oscam.faults.forbids = true;
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('OSCam does not allow the panel’s address (403)')).toBeVisible();
    await expect(page.getByText('Add that address to httpallowed')).toBeVisible();
    await expectAccessible(page);
    oscam.faults.forbids = false;
    oscam.faults.readOnly = true;
    await page.getByRole('button', { name: 'Test again' }).click();
    await expect(
      page.getByText('OSCam’s web interface is read-only', { exact: true }),
    ).toBeVisible();
    oscam.faults.readOnly = false;
    await page.getByRole('button', { name: 'Test again' }).click();
    await expect(page.getByText('Signed in, can change accounts')).toBeVisible();
    await expect(page.getByText('accounts: 1, none from the panel')).toBeVisible();
    await expect(page.getByText('It stays inactive until a test passes.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Add server' }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByText(`OSCam’s web interface, port ${oscam.ports.webif}`)).toBeVisible();
    await expect(page.getByText('+00:00', { exact: false }).first()).toBeVisible();

    await expect(page.getByRole('switch', { name: 'Offered for new lines' })).toBeChecked();
    const { items } = await admin.get(`/api/servers?q=${encodeURIComponent(name)}`);
    const server_id = items[0].id;
    const { id, username } = await sellLine(admin, 'on', { server_id });
    expect(oscam.names()).toContain(username);
    const login = new Date().toISOString().slice(0, 19);
    oscam.clients.push({ user: username, ip: '198.51.100.7', login, protocol: 'cccam' });
    await storeDirectly([
      [
        `insert into line_presence (line_id, server_id, connections, since, last_seen_at, protocol, sessions)
          values ($1, $2, 1, now(), 'infinity', 'cccam', '[{"protocol":"cccam","network":"198.51.100.0/24"}]')
          on conflict do nothing`,
        [id, server_id],
      ],
      [
        `insert into server_presence (server_id, read_at, lines_online, connections, card_server)
          values ($1, now(), 1, 1, 'OSCam 2.26.01') on conflict do nothing`,
        [server_id],
      ],
    ]);
    await page.goto(`/cccam-servers/${server_id}`);
    await expect(page.getByText('1 from the panel, 1 your own')).toBeVisible();
    await expect(page.getByText('group 1', { exact: true })).toBeVisible();
    await page.goto('/cccam-servers/sync?tab=orphans');
    const theirs = rowOf(page, 'of-the-operator');
    await expect(theirs.getByRole('button', { name: /^Adopt/ })).toBeVisible();
    await expect(theirs.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
    await page.goto(`/cccam-servers/${server_id}/clients`);
    await expect(page.getByText('198.51.100.0/24')).toBeVisible();
    await expect(page.getByText('1 line, 1 connection')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: `End session: ${username}` }).click();
    await expect(page.getByText('session ended. The line can reconnect.')).toBeVisible();
    expect(oscam.clients).toEqual([]);
  } finally {
    await stop();
  }
});

test('two servers whose OSCam hides that it is one are joined by a word, which is taken back', {
  tag: '@both',
}, async ({ page, admin }) => {
  const { oscam, stop } = await startOwnOscam();
  oscam.faults.hidesStatus = true;
  const forward = await forwardPort(oscam.ports.webif);
  const add = async (server_name: string, api_port: number): Promise<string> => {
    const { server } = await admin.post('/api/servers', {
      ...{ server_name, kind: 'oscam_webif', host_ip: '127.0.0.1', port: 12_000, api_port },
      ...{ api_scheme: 'https', tls_fingerprint: oscamFingerprint },
      ...{ username: oscamCredentials.user, password: oscamCredentials.password },
    });
    await admin.post(`/api/servers/${server.id}/test`);
    return server.id;
  };
  const [name, other] = [`Forwarded ${unique()}`, `Direct ${unique()}`];
  try {
    const server_id = await add(other, oscam.ports.webif);
    const id = await add(name, forward.port);
    await sellLine(admin, 'twice', { server_id });
    await signIn(page, 'admin', `/cccam-servers/${id}/differences`);
    await expect(page.getByText(`1 account on ${name} is a line of ${other}`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'They are the same card server' }).click();
    await expect(page.getByText(`${name} and ${other} are the same card server`)).toBeVisible();
    await expect(page.getByText('is a line of')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(`1 account on ${name} is a line of ${other}`)).toBeVisible();
    await page.getByRole('button', { name: 'They are the same card server' }).click();
    await expect(page.getByText('is a line of')).toHaveCount(0);
    await page.goto(`/cccam-servers/${id}`);
    await page.getByRole('link', { name: other }).click();
    await expect(page.getByRole('heading', { name: other, level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name })).toBeVisible();
  } finally {
    forward.close();
    await stop();
  }
});

test('an OSCam that does not let the panel in is not said to be silent', {
  tag: '@both',
}, async ({ page, admin }) => {
  const name = `Not let in ${unique()}`;
  const { oscam, stop } = await startOwnOscam();
  try {
    const { server } = await admin.post('/api/servers', {
      ...{ server_name: name, kind: 'oscam_webif', host_ip: '127.0.0.1', port: 12_000 },
      ...{ api_port: oscam.ports.webif, api_scheme: 'https', tls_fingerprint: oscamFingerprint },
      ...{ username: oscamCredentials.user, password: oscamCredentials.password },
    });
    await admin.post(`/api/servers/${server.id}/test`);
    await sellLine(admin, 'let-in', { server_id: server.id });
    oscam.faults.forbids = true;
    await admin.post(`/api/servers/${server.id}/test`);
    await signIn(page, 'admin', '/users/all');
    const text = `${name} has not accepted changes since`;
    const strip = page.getByRole('status').filter({ hasText: text });
    await expect(strip).toContainText('its lines keep working');
    await expectAccessible(page);
    await strip.getByRole('link').click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    // In the evening the stand-in's date may be different, which a second banner reports.
    const trouble = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: 'does not allow the panel’s address' });
    await expect(trouble).toContainText('Add that address to httpallowed');
    await expect(page.getByText('API port')).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
    await oscam.kill();
    await admin.post(`/api/servers/${server.id}/test`);
    await page.goto(`/cccam-servers/${server.id}`);
    await expect(page.getByText('and that httpport is set in oscam.conf')).toBeVisible();
    await expect(page.getByText('API port')).toHaveCount(0);
  } finally {
    await stop();
  }
});

test('a server changes its kind once that is explained, and its certificate is confirmed again where it changes', async ({
  page,
  admin,
  addServer,
}) => {
  const name = `Another kind ${unique()}`;
  const cardServer = new CardServer();
  await cardServer.start();
  const { oscam, stop } = await startOwnOscam();
  try {
    const id = await addServer(name, cardServer, { public_host: 'gdn1.lines.example' });
    const { username } = await sellLine(admin, 'kind', { server_id: id });
    await signIn(page, 'admin', `/cccam-servers/${id}/edit`);
    await page.getByRole('radio', { name: 'OSCam’s web interface' }).check();
    await expect(page.getByText('Lines sent again: 1')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Port', exact: true }).fill(String(oscam.ports.webif));
    await page.getByLabel('Username', { exact: true }).fill(oscamCredentials.user);
    await page.getByRole('switch', { name: 'Encrypted (https)' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Enter the password to test changed settings')).toBeVisible();
    await page.locator('input[name="password"]').fill(oscamCredentials.password);
    await page.getByRole('button', { name: 'Test connection' }).last().click();
    await page.getByRole('button', { name: 'Yes, they match' }).click();
    await expect(page.getByText('Signed in, can change accounts')).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(`OSCam’s web interface, port ${oscam.ports.webif}`)).toBeVisible();
    await expect.poll(() => oscam.names()).toContain(username);

    // The stored fingerprint is changed, as if the confirmed certificate had been another one.
    const before = oscamFingerprint.replaceAll(/[1-9]/g, '0');
    await admin.patch(`/api/servers/${id}`, { tls_fingerprint: before });
    await admin.post(`/api/servers/${id}/test`);
    await page.goto(`/cccam-servers/${id}/test`);
    await expect(
      page.getByText('The certificate has changed. Is the new one yours?'),
    ).toBeVisible();
    await expect(page.locator('code', { hasText: before })).toBeVisible();
    await expect(page.locator('code', { hasText: oscamFingerprint })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Yes, it is mine' }).click();
    await expect(page.getByText('Signed in, can change accounts')).toBeVisible();
  } finally {
    await stop();
    await cardServer.remove();
  }
});
