import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { newLine } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAgent,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

const stepsOf = async (client: TestClient) => (await client.get('/api/dashboard')).body.steps;

test('the steps of a new panel are done one after the other, and undone with what they made', async () => {
  const { admin } = panel;
  expect(await stepsOf(admin)).toEqual({
    server: false,
    line: false,
    payee: false,
    account: false,
  });
  const { id } = await panel.addServer(agent.url);
  await admin.patch(`/api/servers/${id}`, { closed_to_new_lines: true });
  expect((await stepsOf(admin)).server).toBe(false);
  await admin.patch(`/api/servers/${id}`, { closed_to_new_lines: false });
  expect(await stepsOf(admin)).toEqual({ server: true, line: false, payee: false, account: false });
  const { body } = await admin.post('/api/lines', newLine('the-first'));
  expect(await stepsOf(admin)).toEqual({ server: true, line: true, payee: false, account: false });
  const seller = await panel.reseller();
  expect(await stepsOf(admin)).toEqual({ server: true, line: true, payee: false, account: true });

  await admin.patch('/api/settings', { bank_details: 'Lines Ltd' });
  expect((await stepsOf(admin)).payee).toBe(false);
  const starter = { name: 'Starter', credits: 10, price_minor: 2000, currency: 'EUR' };
  expect((await admin.post('/api/packages', starter)).status).toBe(201);
  expect((await stepsOf(admin)).payee).toBe(true);

  // Steps that other accounts have done do not count for a new reseller.
  expect(await stepsOf(seller.client)).toEqual({
    server: null,
    line: false,
    payee: null,
    account: false,
  });
  await panel.below(seller);
  expect(await stepsOf(seller.client)).toEqual({
    server: null,
    line: false,
    payee: null,
    account: true,
  });

  expect((await admin.delete(`/api/lines/${body.line.id}`)).status).toBe(200);
  expect((await stepsOf(admin)).line).toBe(false);
});

test('whoever may sell but not add accounts is not asked to', async () => {
  const { body } = await panel.admin.post('/api/groups', {
    name: 'Sellers',
    permissions: ['view_users'],
  });
  const { client } = await panel.reseller({ group_id: body.group.id });
  expect(await stepsOf(client)).toEqual({ server: null, line: false, payee: null, account: null });
});
