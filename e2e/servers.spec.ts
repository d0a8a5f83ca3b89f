import { expect, test } from '@playwright/test';
import { CardServer } from './support/card-server.ts';
import { agentCredentials } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

const cardServer = new CardServer();
test.beforeAll(() => cardServer.start());
test.afterAll(() => cardServer.remove());

test('an administrator adds a server, tests it and removes it', async ({ page }) => {
  const name = `Added ${Date.now()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  await expect(page.getByLabel('CCcam port')).toHaveValue('12000');
  await expect(page.getByLabel('API port')).toHaveValue('3000');
  await page.getByLabel('Server name').fill(name);
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('API port').fill(String(cardServer.port));
  await page.getByLabel('Username').fill(agentCredentials.username);
  await page.locator('input[name="password"]').fill(agentCredentials.password);
  await page.getByRole('button', { name: 'Add server' }).click();

  await expect(page).toHaveURL('/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card.getByText('Active')).toBeVisible();
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

test('what is missing or wrong is named and the input kept', async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/add');
  await page.getByLabel('Server name').fill('Half a server');
  await page.getByLabel('CCcam port').fill('70000');
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(
    page.getByText('Missing required fields: host_ip, username, password'),
  ).toBeVisible();
  await expect(page.getByText('CCcam port must be between 1 and 65535').first()).toBeVisible();
  await expect(page.getByLabel('Server name')).toHaveValue('Half a server');
  await expect(page.getByLabel('CCcam port')).toHaveValue('70000');
});

test('a server that cannot be reached says so in its card', async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: 'Leeds 1' });
  await card.getByRole('button', { name: 'Test again' }).click();
  await expect(card.getByText('Failed to connect to server: connection refused')).toBeVisible();
  await expect(card.getByText('Error', { exact: true })).toBeVisible();
});

test('a server with lines is not deleted', async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/manage');
  const card = page.getByRole('listitem').filter({ hasText: 'Warsaw 2' });
  await card.getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog').getByText(/Move them first/)).toBeVisible();
});
