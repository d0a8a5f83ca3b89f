import type { Agent } from '@linekeeper/agent/agent.ts';
import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { beforeAll, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { newLine } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Agent;
let server: string;
let owner: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  server = (await panel.addServer(agent.url, 'Warsaw 2')).id;
  owner = await panel.reseller({ credits: 100 });
  stranger = await panel.reseller({ credits: 50 });
});

async function history(client: TestClient, path: string, query = ''): Promise<ActivityEntry[]> {
  const { status, body } = await client.get(`/api/${path}/activity?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
}

const summaries = (entries: readonly ActivityEntry[]) =>
  entries.map(({ source, action }) => `${source} ${action}`);

test('says whom an act was for, how long and how much', async () => {
  await panel.admin.post(`/api/accounts/${owner.id}/credits`, { amount: 12 });
  const { id, client } = await panel.below(owner, { credits: 12 });
  await panel.admin.post(`/api/accounts/${id}/reset-link`);
  await panel.admin.patch(`/api/accounts/${id}`, { group_id: '3', owner_id: stranger.id });
  await panel.admin.patch(`/api/accounts/${id}`, { group_id: '2', owner_id: owner.id });
  const { body } = await client.post('/api/lines', newLine('in-words', { server_id: server }));
  const term = { subscription_months: 6 };
  const renewed = await client.post(`/api/lines/${body.line.id}/renew`, term);
  await client.post(`/api/lines/${body.line.id}/suspend`, { reason: 'Unpaid' });
  const { body: made } = await panel.admin.post('/api/redeem-codes', { credits: 9 });
  await client.post('/api/redeem', { code: made.codes[0].code });
  await panel.admin.post(`/api/accounts/${id}/ban`, {});
  await panel.admin.post(`/api/accounts/${id}/unban`, {});
  const entries = await history(panel.admin, `accounts/${id}`, 'limit=100');
  const of = (name: string) => entries.find(({ action }) => action === name);
  for (const name of ['account.ban', 'account.unban', 'account.reset_link', 'account.edit']) {
    expect(of(name)).toMatchObject({ subject_type: 'account', subject_id: id });
    expect(of(name)?.subject_name).toBeTruthy();
  }
  // The opening credits are listed in the entry of the account's creation.
  const opening = entries.find(({ transfer }) => transfer?.amount === 12);
  expect(of('account.create')).toMatchObject({
    facts: { credits: 12 },
    transfer_id: opening?.transfer_id,
  });
  expect(of('account.reset_link')?.facts.until).toMatch(/^\d{4}-/);
  expect(of('account.edit')?.changes).toEqual(
    expect.arrayContaining([
      { field: 'group_id', before: '3', after: '2' },
      expect.objectContaining({ field: 'owner_id', after: owner.email }),
    ]),
  );
  const { expiry_date } = renewed.body.line;
  expect(of('line.renew')?.facts).toMatchObject({ months: 6, cost: 6, until: expiry_date });
  expect(of('line.create')?.facts.months).toBeGreaterThan(0);
  expect(of('line.suspend')?.facts.reason).toBe('Unpaid');
  const { code } = made.codes[0];
  expect(of('credits.redeem')?.facts).toMatchObject({ code, credits: 9 });
  const found = await history(panel.admin, `accounts/${id}`, `q=${code}`);
  expect(summaries(found)).toContain('audit credits.redeem');
  // The accounts above could redeem the code too.
  const above = await history(owner.client, `accounts/${id}`, 'limit=100');
  expect(JSON.stringify(above)).not.toContain(code);
  expect(summaries(await history(owner.client, `accounts/${id}`, `q=${code}`))).toEqual([]);
});

test('keeps tickets to their owner and administrators', async () => {
  const { id, client } = await panel.below(owner);
  const ticket = { title: 'Between us', description: 'Not for those above', category: 'billing' };
  expect((await client.post('/api/tickets', ticket)).status).toBe(201);
  const seen = async (by: TestClient) => JSON.stringify(await history(by, `accounts/${id}`));
  expect(await seen(client)).toContain('Between us');
  expect(await seen(panel.admin)).toContain('Between us');
  expect(await seen(owner.client)).not.toContain('Between us');
  expect(summaries(await history(owner.client, `accounts/${id}`, 'q=between'))).toEqual([]);
});
