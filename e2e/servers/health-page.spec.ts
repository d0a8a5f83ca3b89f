import { stopServers } from '../../apps/server/src/domain/machines/card-server/testing/servers.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../apps/server/src/testing/card-servers/memory-card-server.ts';
import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

/** A server whose checks are decided by the test. */
const test = base.extend<{
  newServer: (
    name: string,
    fields?: Record<string, unknown>,
  ) => Promise<{
    id: string;
    card: MemoryCardServer;
    check: () => Promise<unknown>;
  }>;
}>({
  newServer: ({ admin, addServer }, use) =>
    use(async (name, fields) => {
      const card = await startMemoryCardServer();
      const id = await addServer(name, card, fields);
      return { id, card, check: () => admin.post(`/api/servers/${id}/test`) };
    }),
});

test.afterAll(async ({ admin }) => {
  await stopServers();
  await takeServersBack(admin);
});

test("a server's page says how it answered, in bars and in a table", {
  tag: ['@main', '@both'],
}, async ({ page, newServer }) => {
  const name = unique();
  const { id, card, check } = await newServer(name, { closed_to_new_lines: true });
  card.answersWith = { status: 503, json: {} };
  await check();
  await signIn(page, 'admin');
  await page.goto(`/cccam-servers/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  // Two checks are too few for a figure of a month.
  await expect(page.getByText('%', { exact: false })).toHaveCount(0);
  await expect(page.getByText('down for 1 min, incidents: 1')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Not offered' })).toBeVisible();
  await expectAccessible(page);
  // Notifications of earlier versions have this address.
  await page.goto(`/cccam-servers/health/${id}`);
  await expect(page).toHaveURL(`/cccam-servers/${id}/health`);
  await expect(page.getByRole('img', { name: /24 hours: 50%/ })).toBeVisible();
  const incidents = page.getByRole('listitem').filter({ hasText: 'Failed checks: 1' });
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

test('the dashboard says how servers answered, failing ones first', { tag: '@both' }, async ({
  page,
  newServer,
}) => {
  const name = unique();
  const { id, card, check } = await newServer(name);
  card.answersWith = { status: 503, json: {} };
  await check();
  await signIn(page, 'admin');
  const shown = page.getByRole('region', { name: 'Server health' });
  await expect(shown.getByRole('img', { name: `${name}: 50% in the last 24 hours` })).toBeVisible();
  const row = shown.getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('not responding');
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'View as table: Server health' }).click();
  await expect(shown.getByRole('row', { name: `${name} Error 50% not responding` })).toBeVisible();
  await shown.getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/cccam-servers/${id}/health`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Failed checks: 1' })).toBeVisible();
});

test('a full server is said to be full and is not offered', { tag: '@both' }, async ({
  page,
  admin,
  isPhone,
  newServer,
}) => {
  const name = unique();
  const { id } = await newServer(name);
  await signIn(page, 'admin');
  await page.goto(`/cccam-servers/edit/${id}`);
  await page.getByLabel('Maximum lines').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(`/cccam-servers/${id}`);
  await admin.post('/api/lines', {
    username: unique(),
    password: 'tulip-harbor-92-kite',
    subscription_months: 1,
    server_id: id,
  });
  await page.goto('/cccam-servers/manage');
  const card = page.getByRole('listitem', { name });
  await expect(card).toContainText('1 of 1');
  await expect(card).toContainText('Full');
  await page.goto('/users/add');
  // A phone folds values that were chosen automatically.
  if (isPhone) await page.getByRole('button', { name: /^Server/ }).click();
  await page.getByRole('combobox', { name: 'Server' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect(page.getByRole('option', { name })).toHaveCount(0);
});
