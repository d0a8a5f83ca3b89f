import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAgent } from '../../apps/agent/src/agent.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { freePort } from '../support/free-port.ts';
import { panelUrl } from '../support/panel.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

/** Makes the calls of the command, without a card server. */
async function post(path: string, body: object) {
  const reply = await fetch(`${panelUrl}/api/servers/awaited/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.json();
}

async function keyIn(page: Page): Promise<string> {
  const command = page.getByRole('main').locator('code').first();
  await expect(command).toContainText('/agent.sh');
  return /KEY=(\S+)/.exec(await command.innerText())?.[1] ?? '';
}

let api_port: number;
test.beforeEach(async () => {
  api_port = await freePort();
});

test('a server is added by one command, which the page waits for', {
  tag: ['@main', '@both'],
}, async ({ page, admin }) => {
  const name = `By command ${unique()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  await expect(page.getByText('The agent has not contacted the panel yet')).toBeVisible();
  const first = await keyIn(page);
  await page.getByRole('button', { name: 'New key' }).click();
  await expect(page.locator('code').first()).not.toContainText(first);
  const key = await keyIn(page);
  await expectAccessible(page);

  const call = { key, api_port, port: 12_345, agent_version: '1.2.0' };
  const { username, password } = await post('call', call);
  await expect(page.getByText('An agent contacted the panel from 127.0.0.1')).toBeVisible();
  await expect(page.getByLabel('Address for customers')).toHaveValue('');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('but the panel cannot reach it')).toBeVisible();

  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-e2e-agent-'));
  const agent = await startAgent({ dir, username, password, port: api_port, timeZone: ZONE });
  try {
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('The panel reached it in')).toBeVisible();
    await expect(page.getByText('Does not load changes yet')).toBeVisible();
    await expect(page.getByText(/Set OSCAM_WEBIF_URL or RELOAD_COMMAND/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'When a server is not ready' })).toBeVisible();
    await expect(page.getByLabel('Address for customers')).toHaveValue('127.0.0.1');
    await expect(page.getByLabel('CCcam port')).toHaveValue('12345');
    await expectAccessible(page);
    await page.getByLabel('Server name').fill(name);
    await page.getByRole('button', { name: 'Add server' }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Offered for new lines' })).toBeChecked();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'When a server is not ready' }).click();
    await expect(page).toHaveURL(/knowledge-base/);
    await page.getByRole('link', { name: 'When a server is not ready' }).click();
    await expect(page.getByRole('heading', { name: 'Changes are not loaded' })).toBeVisible();
  } finally {
    await agent.close();
    await rm(dir, { recursive: true });
    await takeServersBack(admin);
  }
});

test('a server that is added before its agent calls goes on waiting on its page', async ({
  page,
}) => {
  const name = `Waiting ${unique()}`;
  await signIn(page, 'admin', '/cccam-servers/add');
  const key = await keyIn(page);
  await page.getByLabel('Server name').fill(name);
  await page.getByLabel('Address for customers').fill('waw.lines.example');
  await expect(page.getByText('It stays inactive until a test passes.')).toBeVisible();
  await page.getByRole('button', { name: 'Add server' }).click();
  await expect(page.getByText('The agent has not contacted the panel yet')).toBeVisible();
  const call = { key, api_port, agent_version: '1.2.0' };
  await post('call', call);
  await expect(page.getByText('An agent contacted the panel from 127.0.0.1')).toBeVisible();
  await page.getByRole('button', { name: 'Not mine' }).click();
  await expect(page.getByText('The agent has not contacted the panel yet')).toBeVisible();
  const again = await keyIn(page);
  expect(again).not.toBe(key);
  await post('call', { ...call, key: again });
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('but the panel cannot reach it')).toBeVisible();
});

test('an agent is installed again by a new command on its page, and the server stays', {
  tag: '@both',
}, async ({ page, admin, addServer }) => {
  const name = `Again ${unique()}`;
  const cardServer = new CardServer();
  await cardServer.start();
  const id = await addServer(name, cardServer, { public_host: 'again.lines.example' });
  await signIn(page, 'admin', `/cccam-servers/${id}`);
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Update or reinstall the agent' }).click();
  await expect(page.getByRole('heading', { name: 'Update or reinstall the agent' })).toBeVisible();
  const key = await keyIn(page);
  await expectAccessible(page);

  const call = { key, api_port, agent_version: '1.3.0' };
  const { username, password } = await post('call', call);
  await expect(page.getByText('The agent is starting')).toBeVisible();
  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-e2e-agent-'));
  const agent = await startAgent({ dir, username, password, port: api_port, timeZone: ZONE });
  try {
    expect(await post('ready', { key })).toMatchObject({ reached: true });
    await expect(page.getByText('The panel reached it in')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Close' }).click();
    await expect(page.getByText('The panel reached it in')).toHaveCount(0);
    expect(await admin.get(`/api/servers/${id}`)).toMatchObject({
      ...{ server_name: name, host_ip: '127.0.0.1', public_host: 'again.lines.example' },
      ...{ api_port, username: 'linekeeper', status: 'active' },
    });
  } finally {
    await agent.close();
    await rm(dir, { recursive: true });
    await cardServer.remove();
    await takeServersBack(admin);
  }
});
