import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
  seller = await panel.reseller({ credits: 1000 });
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

async function sell(username: string, more: Record<string, unknown> = {}) {
  return (await seller.client.post('/api/lines', newLine(username, more))).body.line;
}
const remove = (id: string, client = seller.client) => client.delete(`/api/lines/${id}`);

test('a deleted line is gone here and from its server, and nothing is paid back', {
  tags: ['spec:4.10', 'spec:7.13'],
}, async () => {
  const line = await sell('leaving');
  const { credits } = (await seller.client.get('/api/me')).body;
  expect(await remove(line.id)).toMatchObject({
    status: 200,
    body: { sync: { ok: true, message: null } },
  });
  expect((await readServerFiles(agent)).cccam).not.toContain('leaving');
  expect((await seller.client.get('/api/me')).body.credits).toBe(credits);
  const gone = { status: 404, body: { message: 'User not found' } };
  expect(await seller.client.get(`/api/lines/${line.id}`)).toMatchObject(gone);
  expect(await remove(line.id)).toMatchObject(gone);
  expect(
    await seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 }),
  ).toMatchObject(gone);
  const kept = await panel.services.db
    .selectFrom('server_accounts')
    .select('username')
    .where('username', '=', 'leaving')
    .execute();
  expect(kept).toEqual([]);
});

test('the same request sent again is answered like the first', async () => {
  const line = await sell('twice');
  const send = () =>
    seller.client.send('DELETE', `/api/lines/${line.id}`, undefined, {
      'idempotency-key': 'delete-once',
    });
  const first = await send();
  const second = await send();
  expect(second).toMatchObject({ status: 200, body: first.body });
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('a server that is down: deleted here, told later', { tags: ['spec:4.13'] }, async () => {
  const mortal = await startTestAgent();
  const server = await panel.addServer(mortal.url, 'Mortal');
  const line = await sell('survivor', { server_id: server.id });
  await mortal.close();
  expect((await remove(line.id)).body.sync).toEqual({
    ok: false,
    message:
      'User was deleted from database but could not be deleted from CCcam server: connection refused',
  });
  const back = await startTestAgent(Number(new URL(mortal.url).port), mortal.dir);
  expect((await readServerFiles(back)).cccam).toContain('F: survivor ');
  await eventually(async () =>
    expect((await readServerFiles(back)).cccam).not.toContain('survivor'),
  );
  await back.close();
});

test('deleted while its server is down and sold again at once, a name ends up present', async () => {
  const mortal = await startTestAgent();
  const { id: server_id } = await panel.addServer(mortal.url, 'Phoenix');
  const first = await sell('phoenix', { server_id });
  await mortal.close();
  expect((await remove(first.id)).body.sync.ok).toBe(false);
  const again = await seller.client.post(
    '/api/lines',
    newLine('phoenix', { server_id, password: 'from-the-ashes' }),
  );
  expect(again).toMatchObject({ status: 201, body: { sync: { ok: false } } });
  const back = await startTestAgent(Number(new URL(mortal.url).port), mortal.dir);
  const { id } = again.body.line;
  await eventually(async () => {
    const { body } = await seller.client.get(`/api/lines/${id}`);
    expect(body.sync_state).toBe('synced');
  });
  expect((await readServerFiles(back)).cccam).toContain('F: phoenix from-the-ashes\n');
  await back.close();
});

test('deletions, renewals and edits of one line side by side: it is gone, each paid or refused', async () => {
  const line = await sell('contested');
  const before = (await seller.client.get('/api/me')).body.credits;
  const renewals = Array.from({ length: 6 }, () =>
    seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 }),
  );
  const removals = Array.from({ length: 3 }, () => remove(line.id));
  const edits = Array.from({ length: 3 }, (_, number) =>
    seller.client.patch(`/api/lines/${line.id}`, { password: `pw-${number}` }),
  );
  const [renewed, removed] = await Promise.all([
    Promise.all(renewals),
    Promise.all(removals),
    Promise.all(edits),
  ]);
  expect(removed.filter(({ status }) => status === 200)).toHaveLength(1);
  const { db } = panel.services;
  const paid = await db
    .selectFrom('credit_transfers')
    .select('id')
    .where('line_id', '=', line.id)
    .where('kind', '=', 'renewal')
    .execute();
  expect(renewed.filter(({ status }) => status === 200)).toHaveLength(paid.length);
  expect((await seller.client.get('/api/me')).body.credits).toBe(before - 2 * paid.length);
  await eventually(async () =>
    expect((await readServerFiles(agent)).cccam).not.toContain('F: contested '),
  );
  await expectBalancedBooks(db);
});
