// @module-tag thorough
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestReply } from '../../testing/client.ts';
import { transfersOf } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;

const isReplayed = (reply: TestReply) => reply.headers.get('idempotency-replayed') === 'true';
const keyed = (key: string) => ({ 'idempotency-key': key });

/** Number of sales for which the account paid. */
async function salesOf({ id }: TestAccount): Promise<number> {
  const transfers = await transfersOf(panel.services.db, id);
  return transfers.filter(({ kind }) => kind === 'sale').length;
}

/** Changes the stored attempt, for example to make it older or unanswered. */
async function change(key: string, assignments: ReturnType<typeof sql>): Promise<void> {
  const { numAffectedRows } = await sql`update idempotency_keys set ${assignments}
    where key = ${key}`.execute(panel.services.db);
  expect(numAffectedRows).toBe(1n);
}

describe.each(databases)('the same Idempotency-Key on %s', (kind) => {
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  test('one after the other: the first reply again, and nothing is done twice', async () => {
    const seller = await panel.reseller();
    const first = await seller.client.post('/api/lines', newLine('once'), keyed('k1'));
    expect(isReplayed(first)).toBe(false);
    await seller.client.post('/api/lines', newLine('another'));

    const second = await seller.client.post('/api/lines', newLine('once'), keyed('k1'));
    expect(isReplayed(second)).toBe(true);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.body.credits).toBe(98);
    expect(await salesOf(seller)).toBe(2);
  });

  test('twenty at once: one line, one debit, twenty equal replies', async () => {
    const seller = await panel.reseller();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        seller.client.post('/api/lines', newLine('twenty'), keyed('k20')),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
    expect(replies[0]?.body).toMatchObject({ cost: 2, credits: 98, sync: { ok: true } });
    expect(await salesOf(seller)).toBe(1);
    expect((await seller.client.get('/api/me')).body.credits).toBe(98);
  });

  test.each([
    ['lost', 'was stored', sql`result`],
    ['lost-before', 'the version before has stored', sql`result - 'pushes'`],
  ])('a sale whose reply was %s is answered again from what %s', async (name, _, stored) => {
    const seller = await panel.reseller();
    const first = await seller.client.post('/api/lines', newLine(name), keyed(name));
    await seller.client.post('/api/lines', newLine(`${name}-2`));
    const age = sql`created_at = now() - interval '1 minute'`;
    await change(name, sql`reply = null, result = ${stored}, ${age}`);

    const again = await seller.client.post('/api/lines', newLine(name), keyed(name));
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(isReplayed(again)).toBe(true);
    expect(await salesOf(seller)).toBe(2);
  });
});

describe('an Idempotency-Key', () => {
  let seller: TestAccount;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel();
    await panel.addServer(agent.url);
    seller = await panel.reseller();
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  test.each([
    ['/api/lines', newLine('nokey')],
    ['/api/accounts', { email: 'nokey@panel.example', password: 'longenoughpw' }],
    [`/api/accounts/${crypto.randomUUID()}/credits`, { amount: 1 }],
  ])('is required by POST %s', async (path, body) => {
    const reply = await seller.client.send('POST', path, body);
    expect(reply).toMatchObject({
      status: 428,
      body: {
        code: 'IDEMPOTENCY_KEY_REQUIRED',
        message: 'An Idempotency-Key header is required',
      },
    });
  });

  test('is required for a new server', async () => {
    const body = { server_name: 'S', host_ip: '10.0.0.1', port: 1, username: 'u', password: 'p' };
    expect((await panel.admin.send('POST', '/api/servers', body)).status).toBe(428);
  });

  test('used with another body is refused', async () => {
    await seller.client.post('/api/lines', newLine('mine'), keyed('reused'));
    const other = await seller.client.post(
      '/api/lines',
      newLine('mine', { password: 'another' }),
      keyed('reused'),
    );
    expect(other).toMatchObject({
      status: 422,
      body: {
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: 'This Idempotency-Key was used with another request',
      },
    });
  });

  test('belongs to one account and one call', async () => {
    const other = await panel.reseller();
    await seller.client.post('/api/lines', newLine('shared1'), keyed('shared'));
    const theirs = await other.client.post('/api/lines', newLine('shared2'), keyed('shared'));
    expect(theirs).toMatchObject({ status: 201, body: { line: { username: 'shared2' } } });
    const quote = { action: 'create', subscription_months: 1 };
    const elsewhere = await seller.client.post('/api/lines/quote', quote, keyed('shared'));
    expect(elsewhere).toMatchObject({ status: 200, body: { cost: 2 } });
    expect(isReplayed(elsewhere)).toBe(false);
  });

  test('older than 24 hours is forgotten', async () => {
    await seller.client.post('/api/lines', newLine('yesterday'), keyed('daily'));
    await change('daily', sql`created_at = now() - interval '23 hours 59 minutes'`);
    expect(
      isReplayed(await seller.client.post('/api/lines', newLine('yesterday'), keyed('daily'))),
    ).toBe(true);
    await change('daily', sql`created_at = now() - interval '24 hours 1 second'`);
    const fresh = await seller.client.post('/api/lines', newLine('today'), keyed('daily'));
    expect(fresh).toMatchObject({ status: 201, body: { line: { username: 'today' } } });
    const replayed = await seller.client.post('/api/lines', newLine('today'), keyed('daily'));
    expect(isReplayed(replayed)).toBe(true);
  });

  test('of a request that is still running is waited for, then refused', async () => {
    const again = () => seller.client.post('/api/lines', newLine('running'), keyed('running'));
    const first = await again();
    const reply_kept = JSON.stringify(first.body);
    const isRunning = sql`reply = null, created_at = now() + interval '10 seconds'`;
    await change('running', isRunning);
    const waiting = again();
    expect((await seller.client.get('/api/me')).status).toBe(200);
    await change('running', sql`reply = ${reply_kept}`);
    expect(await waiting).toMatchObject({ status: 201, body: first.body });

    // The attempt has no end.
    await change('running', isRunning);
    const reply = await again();
    expect(reply).toMatchObject({
      status: 409,
      body: {
        code: 'REQUEST_IN_PROGRESS',
        message: 'The first request with this Idempotency-Key is still running',
      },
    });
  });

  test('never keeps a secret: neither what was sent nor what was answered', async () => {
    const password = 'canary-9f2c';
    const { body } = await seller.client.post('/api/lines', newLine('canary', { password }));
    const revealed = await seller.client.post(`/api/lines/${body.line.id}/reveal`);
    expect(revealed.body).toEqual({ password, page: null });
    const { rows } = await sql<{ stored: string }>`
      select idempotency_keys::text as stored from idempotency_keys`.execute(panel.services.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { stored } of rows) expect(stored).not.toContain(password);
  });
});
