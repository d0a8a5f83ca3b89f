import { beforeAll, expect, test } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
let lineId: string;
const password = 'Gehäim:=1';

beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  seller = await panel.reseller();
  const { body } = await seller.client.post('/api/lines', newLine('anna', { password }));
  lineId = body.line.id;
  return shop.stop;
});

function noted() {
  return panel.services.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'subject_type', 'data'])
    .where('subject_id', '=', lineId)
    .where('action', '=', 'line.reveal')
    .orderBy('id')
    .execute();
}

test('the password is shown to whoever may see the line, and every look is noted', async () => {
  expect(await noted()).toEqual([]);
  for (const client of [seller.client, panel.admin]) {
    const reply = await client.post(`/api/lines/${lineId}/reveal`);
    expect(reply).toMatchObject({ status: 200, body: { password } });
    expect(Object.keys(reply.body)).toEqual(['password', 'page']);
  }
  const { id: adminId } = (await panel.admin.get('/api/me')).body;
  const look = { action: 'line.reveal', subject_type: 'line', data: {} };
  expect(await noted()).toEqual([
    { ...look, actor_id: seller.id },
    { ...look, actor_id: adminId },
  ]);
});

test('the same request sent twice is two looks', async () => {
  const before = (await noted()).length;
  const key = { 'idempotency-key': 'look' };
  for (let time = 1; time <= 2; time++) {
    const reply = await seller.client.post(`/api/lines/${lineId}/reveal`, undefined, key);
    expect(reply.body).toEqual({ password, page: null });
  }
  expect(await noted()).toHaveLength(before + 2);
});

test('someone else’s line is not there, and nothing is noted', async () => {
  const { client } = await panel.reseller();
  const before = await noted();
  expect(await client.post(`/api/lines/${lineId}/reveal`)).toMatchObject({
    status: 404,
    body: { message: 'User not found' },
  });
  expect(await noted()).toEqual(before);
});

test('everywhere else the password is masked, and stored sealed', {
  tags: ['spec:3.9'],
}, async () => {
  const replies = await Promise.all([
    seller.client.get('/api/lines'),
    seller.client.get(`/api/lines/${lineId}`),
  ]);
  for (const { body } of replies) {
    expect(JSON.stringify(body)).not.toContain(password);
    expect(JSON.stringify(body)).toContain('"password":null');
  }
  const { password: sealed } = await panel.services.db
    .selectFrom('users')
    .select('password')
    .where('id', '=', lineId)
    .executeTakeFirstOrThrow();
  expect(sealed).toMatch(/^v1:/);
  expect(panel.services.secrets.open(sealed, lineId)).toBe(password);
});
