import { afterAll, beforeAll, expect, test } from 'vitest';
import { SALES } from '../../domain/credits/credits.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
  seller = await panel.reseller({ credits: 20 });
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await panel?.stop();
  await agent?.close();
});

const balance = async () => (await seller.client.get('/api/me')).body.credits;
const refund = (id: string, body: object = {}, client = panel.admin) =>
  client.post(`/api/credits/transfers/${id}/refund`, body);
const lastTransfer = async () => (await transfersOf(panel.services.db, seller.id)).at(-1)!;

async function sell(name: string) {
  const { body } = await seller.client.post('/api/lines', newLine(name));
  return { line: body.line, transfer: (await lastTransfer()).id };
}

test('a sale comes back to who paid it, and the line stays', async () => {
  const { line, transfer } = await sell('given-back');
  const before = await balance();
  const reply = await refund(transfer, { note: 'never worked' });
  expect(reply).toMatchObject({
    status: 200,
    body: {
      account: { id: seller.id, credits: before + 2 },
      transfer: {
        kind: 'refund',
        from_id: SALES,
        to_id: seller.id,
        amount: 2,
        note: 'never worked',
        line_id: line.id,
        username: 'given-back',
        refund_of: transfer,
      },
    },
  });
  expect(await balance()).toBe(before + 2);
  const kept = await seller.client.get(`/api/lines/${line.id}`);
  expect(kept.body).toMatchObject({ expiry_date: line.expiry_date, sync_state: 'synced' });
});

test('a renewal is refunded too, of a line that is gone as well', async () => {
  const { line } = await sell('short-lived');
  await seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 3 });
  const renewal = await lastTransfer();
  await seller.client.delete(`/api/lines/${line.id}`);
  const before = await balance();
  expect(await refund(renewal.id)).toMatchObject({
    status: 200,
    body: { transfer: { amount: 4 } },
  });
  expect(await balance()).toBe(before + 4);
});

test('the second time it is refused; the same request again is answered again', async () => {
  const { transfer } = await sell('only-once');
  const before = await balance();
  const path = `/api/credits/transfers/${transfer}/refund`;
  const key = { 'idempotency-key': 'refund-once' };
  const first = await panel.admin.post(path, {}, key);
  expect(await refund(transfer)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_REFUNDED', message: 'This transfer has already been refunded' },
  });
  expect(await panel.admin.post(path, {}, key)).toMatchObject({ status: 200, body: first.body });
  expect(await balance()).toBe(before + 2);
});

test('twenty refunds of one sale at once give it back once', async () => {
  const { transfer } = await sell('many-want-it');
  const before = await balance();
  const replies = await Promise.all(Array.from({ length: 20 }, () => refund(transfer)));
  const statuses = replies.map(({ status, body }) => `${status} ${body.code ?? ''}`).sort();
  expect(statuses).toEqual(['200 ', ...Array(19).fill('409 ALREADY_REFUNDED')]);
  expect(await balance()).toBe(before + 2);
});

test('nothing but a sale or a renewal is refunded', async () => {
  const mint = (await transfersOf(panel.services.db, seller.id))[0]!;
  const { transfer } = await sell('refunded');
  const given = await refund(transfer);
  for (const id of [mint.id, given.body.transfer.id]) {
    expect(await refund(id)).toMatchObject({
      status: 422,
      body: { code: 'NOT_REFUNDABLE', message: 'Only a sale or a renewal can be refunded' },
    });
  }
});

test.each([crypto.randomUUID(), 'no-id'])('%s is no transfer', async (id) => {
  expect(await refund(id)).toMatchObject({
    status: 404,
    body: { code: 'TRANSFER_NOT_FOUND', message: 'Transfer not found' },
  });
});

test('a seller cannot refund itself', async () => {
  const { transfer } = await sell('not-by-me');
  const before = await balance();
  expect((await refund(transfer, {}, seller.client)).status).toBe(403);
  expect(await balance()).toBe(before);
});
