import { expect, test } from '@playwright/test';
import { stopServers } from '../../apps/server/src/core/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../../apps/server/src/testing/memory-card-server.ts';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts, agentCredentials } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { unique } from '../support/unique.ts';

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.afterAll(async () => {
  await stopServers();
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  await admin.post('/api/servers/check');
});

async function addServer(name: string, more: Record<string, unknown> = {}) {
  const card = await startMemoryCardServer();
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  const { server } = await admin.post('/api/servers', {
    server_name: name,
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: Number(new URL(card.url).port),
    ...agentCredentials,
    ...more,
  });
  const check = () => admin.post(`/api/servers/${server.id}/test`);
  await check();
  return { id: server.id as string, card, check, admin };
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`on a ${size} a server's page says how it answered, in bars and in a table`, async ({
    page,
  }) => {
    const name = unique();
    const { id, card, check } = await addServer(name, { closed_to_new_lines: true });
    card.answersWith = { status: 503, json: {} };
    await check();
    await page.setViewportSize(viewport);
    await signIn(page, 'admin');
    await page.goto(`/cccam-servers/health/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: `Health of ${name}` })).toBeVisible();
    await expect(page.getByText('50%').first()).toBeVisible();
    await expect(page.getByText('down for 1 min, 1 incident')).toBeVisible();
    await expect(page.getByText('Closed to new lines')).toBeVisible();
    await expect(page.getByRole('img', { name: /Last 24 hours: 50%/ })).toBeVisible();
    const incidents = page.getByRole('listitem').filter({ hasText: '1 failed check' });
    await expect(incidents).toContainText('503');
    await expect(incidents).toContainText('Ongoing');
    await expectAccessible(page);

    const latency = page.getByRole('region', { name: 'Latency' });
    await expect(latency).toContainText(/\d:[03]0 [ap]m/);
    await latency.getByRole('radio', { name: '30 days' }).check({ force: true });
    await expect(latency).toContainText(/\d\d [A-Z]\w\w/);

    const asTable = page.getByRole('button', { name: 'View as table: Uptime' });
    await asTable.focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('region', { name: /^Uptime/ }).getByRole('table');
    await expect(table.getByRole('row')).toHaveCount(1 + 48 + 30);
    await expect(table.getByRole('row').nth(1)).toContainText('Failed checks');
    await expectAccessible(page);

    card.answersWith = null;
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(incidents).not.toContainText('Ongoing');
  });

  test(`on a ${size} the dashboard says how servers answered, failing ones first`, async ({
    page,
  }) => {
    const name = unique();
    const { id, card, check } = await addServer(name);
    card.answersWith = { status: 503, json: {} };
    await check();
    await page.setViewportSize(viewport);
    await signIn(page, 'admin');
    const shown = page.getByRole('region', { name: 'Server health' });
    await expect(
      shown.getByRole('img', { name: `${name}: 50% in the last 24 hours` }),
    ).toBeVisible();
    const row = shown.getByRole('listitem').filter({ hasText: name });
    await expect(row).toContainText('not responding');
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'View as table: Server health' }).click();
    await expect(
      shown.getByRole('row', { name: `${name} Error 50% not responding` }),
    ).toBeVisible();
    await shown.getByRole('link', { name }).click();
    await expect(page).toHaveURL(`/cccam-servers/health/${id}`);
    await expect(page.getByText('down for 1 min, 1 incident')).toBeVisible();
  });

  test(`on a ${size} a full server is said to be full and is not offered`, async ({ page }) => {
    const name = unique();
    const { id, admin } = await addServer(name);
    await page.setViewportSize(viewport);
    await signIn(page, 'admin');
    await page.goto(`/cccam-servers/edit/${id}`);
    await page.getByLabel('Maximum lines').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/cccam-servers\/manage/);
    await admin.post('/api/lines', {
      username: unique(),
      password: 'tulip-harbor-92-kite',
      subscription_months: 1,
      server_id: id,
    });
    const card = page.getByRole('listitem', { name });
    await expect(card).toContainText('1 of 1');
    await expect(card).toContainText('Full');
    await page.goto('/users/add');
    await page.getByRole('combobox', { name: 'Server' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expect(page.getByRole('option', { name })).toHaveCount(0);
  });
}
