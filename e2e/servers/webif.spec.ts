import { expectAccessible } from '../support/accessible.ts';
import { freePort } from '../support/free-port.ts';
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
  await expect(page.getByText('Awaiting the agent’s first call')).toBeVisible();
  await agent.focus();
  await page.keyboard.press('ArrowRight');
  await expect(webif).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('up to about 2,000 lines')).toBeVisible();
  await expect(page.getByText('Awaiting the agent’s first call')).toHaveCount(0);
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
  await page.getByLabel('User', { exact: true }).fill('panel');
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
