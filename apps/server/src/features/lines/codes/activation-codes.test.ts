import { addMonths } from '@linekeeper/contract/dates.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SALES } from '../../../domain/credits/credits.ts';
import { dumpText } from '../../../testing/database/dump.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';
import { addPlan } from '../../../testing/plans.ts';

const PATH = '/api/activation-codes';
const NOT_NOW = [409, 'ACTIVATION_NOT_NOW'];

describe.each(databases)('activation codes on %s', (kind) => {
  let panel: TestPanel;
  let agent: TestAgent;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    ({ panel, agent } = shop);
    return shop.stop;
  });
  afterEach(async () => {
    await expectBalancedBooks(panel.services.db);
    expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
    await panel.services.db.deleteFrom('rate_limits').execute();
  });

  const make = ({ client }: TestAccount, body: object = {}) =>
    client.post(PATH, { months: 3, ...body });
  async function newCode(seller: TestAccount, body: object = {}) {
    const reply = await make(seller, body);
    expect(reply).toMatchObject({ status: 201 });
    return reply.body.codes[0] as { id: string; code: string };
  }
  const activate = (code: string, username: string, password = `pw-${username}`) =>
    panel.anonymous().post('/api/activate', { code, username, password });
  const outcome = async (sent: ReturnType<typeof activate>) => {
    const { status, body } = await sent;
    return [status, body.code ?? body.line.username];
  };
  const credits = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
  const list = async ({ client }: TestAccount, query = '') =>
    (await client.get(`${PATH}${query}`)).body.items;
  const kinds = async ({ id }: TestAccount) =>
    (await transfersOf(panel.services.db, id)).map(({ kind, amount }) => [kind, amount]);

  test('are stored only encrypted, and a retry gets the same ones', async () => {
    const seller = await panel.reseller();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const ask = () => seller.client.post(PATH, { months: 3, count: 2 }, key);
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await credits(seller)).toBe(92);
    const stored = await dumpText(panel.services.db);
    for (const { id, code } of first.body.codes) {
      expect(stored).toContain(id);
      expect(stored).not.toContain(code);
    }
  });

  test('are paid when they are made, by one debit and a sale for each, and shown to their seller alone', async () => {
    const seller = await panel.reseller();
    const above = await panel.reseller();
    const below = await panel.below(above, { credits: 20 });
    const reply = await make(seller, { count: 2, note: 'Shop window', quoted_cost: 8 });
    expect(reply).toMatchObject({ status: 201, body: { cost: 8, credits: 92 } });
    const [code] = reply.body.codes;
    expect(code).toMatchObject({
      code: expect.stringMatching(/^([2-9A-Z]{4}-){4}[2-9A-Z]{4}$/),
      months: 3,
      cost: 4,
      note: 'Shop window',
      status: 'unused',
      line_id: null,
      username: null,
    });
    expect(await kinds(seller)).toEqual([
      ['mint', 100],
      ['sale', 4],
      ['sale', 4],
    ]);
    const [, sale] = await transfersOf(panel.services.db, seller.id);
    expect(sale).toMatchObject({ to_id: SALES, username: null, note: 'Shop window' });
    const shown = await seller.client.get('/api/credits/transfers?bundled=true&kind=sale');
    expect(shown.body.items).toMatchObject([{ bundle: { count: 2, amount: 8 }, months: null }]);

    expect(await list(seller)).toHaveLength(2);
    expect(await list(seller, `?q=${code.code.toLowerCase().replaceAll('-', '')}`)).toEqual([code]);
    expect(await list(seller, '?q=window&status=used')).toEqual([]);
    await newCode(below);
    for (const other of [above, { ...above, client: panel.admin }])
      expect(await list(other)).toEqual([]);
    const stored = await panel.services.db.selectFrom('activation_codes').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(code.code);
    const audited = await panel.services.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'activationcode.create')
      .where('actor_id', '=', seller.id)
      .execute();
    expect(audited).toMatchObject([
      { subject_id: code.id, data: { count: 2, cost: 8, months: 3 } },
    ]);
    expect(JSON.stringify(audited)).not.toContain(code.code);
  });

  test('make the line of the day, of its seller and with its payment, although no credit is left', async () => {
    const seller = await panel.reseller({ credits: 4 });
    const { id, code } = await newCode(seller);
    expect(await credits(seller)).toBe(0);
    const today = panel.services.today();
    const reply = await activate(` ${code.toLowerCase()} `, 'dora', 'secret-1');
    const expiry_date = addMonths(today, 3);
    const entered = { host: '127.0.0.1', port: '12000' };
    const c_line = 'C: 127.0.0.1 12000 dora secret-1';
    expect([reply.status, reply.body.line]).toEqual([
      201,
      {
        username: 'dora',
        protocol: 'cccam',
        expiry_date,
        ...entered,
        c_line,
        servers: [{ ...entered, cccam: c_line, newcamd: [] }],
        is_ready: true,
      },
    ]);
    expect((await readServerFiles(agent)).cccam).toContain('F: dora secret-1\n');
    const [used] = await list(seller);
    expect(used).toMatchObject({ id, status: 'used', username: 'dora', cost: 4 });
    const { body: line } = await seller.client.get(`/api/lines/${used.line_id}`);
    expect(line).toMatchObject({
      owner_id: seller.id,
      added_date: today,
      expiry_date,
      subscription_months: 3,
      is_trial: false,
      sync_state: 'synced',
    });
    expect(await kinds(seller)).toEqual([
      ['mint', 4],
      ['sale', 4],
    ]);
    const { body: sold } = await seller.client.get('/api/credits/transfers?kind=sale');
    expect(sold.items).toMatchObject([{ line_id: used.line_id, months: 3, expiry_date }]);
    const audited = await panel.services.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', used.line_id)
      .execute();
    expect(audited).toMatchObject([
      { action: 'line.activate', actor_id: null, after: { username: 'dora', owner_id: seller.id } },
    ]);
    expect(JSON.stringify(audited)).not.toContain('secret-1');

    expect(await outcome(activate(code, 'dora-two'))).toEqual([409, 'ACTIVATION_CODE_USED']);
    expect(await outcome(activate(code, 'dora', 'other'))).toEqual([409, 'ACTIVATION_CODE_USED']);
    expect((await activate(code, 'dora', 'secret-1')).body.line).toEqual(reply.body.line);
    const { body } = await seller.client.get('/api/lines');
    expect(body.total).toBe(1);
  });

  test('give back what was paid, once, while they are unused', async () => {
    const seller = await panel.reseller({ credits: 8 });
    const [one, other] = (await make(seller, { count: 2 })).body.codes;
    const refund = async (id: string, { client } = seller) => {
      const { status, body } = await client.delete(`${PATH}/${id}`);
      return [status, body.code ?? body.refunded];
    };
    expect(await refund(one.id, await panel.reseller())).toEqual([404, 'REDEEM_CODE_NOT_FOUND']);
    expect(await refund(one.id)).toEqual([200, 4]);
    expect(await refund(one.id)).toEqual([409, 'ALREADY_REFUNDED']);
    expect(await credits(seller)).toBe(4);
    expect(await outcome(activate(one.code, 'erna'))).toEqual([409, 'INVALID_OR_EXPIRED_CODE']);
    await activate(other.code, 'erna');
    expect(await refund(other.id)).toEqual([409, 'ACTIVATION_CODE_USED']);
    expect(await kinds(seller)).toEqual([
      ['mint', 8],
      ['sale', 4],
      ['sale', 4],
      ['refund', 4],
    ]);
    expect((await list(seller)).map(({ status }: { status: string }) => status)).toEqual([
      'used',
      'refunded',
    ]);
  });

  test('are worth nothing once an administrator has refunded their payment', async () => {
    const seller = await panel.reseller({ credits: 4 });
    const { id, code } = await newCode(seller);
    const [, sale] = await transfersOf(panel.services.db, seller.id);
    const refunded = await panel.admin.post(`/api/credits/transfers/${sale?.id}/refund`, {
      note: 'No shop',
    });
    expect(refunded.status).toBe(200);
    expect(await outcome(activate(code, 'fay'))).toEqual([409, 'INVALID_OR_EXPIRED_CODE']);
    expect((await seller.client.delete(`${PATH}/${id}`)).body.code).toBe('ALREADY_REFUNDED');
    expect(await credits(seller)).toBe(4);
  });

  test('a line of a code is undone like a sale, which pays back the code and ends both', async () => {
    const seller = await panel.reseller({ credits: 4 });
    const { id, code } = await newCode(seller);
    await activate(code, 'gil');
    const { body: jobs } = await seller.client.get('/api/jobs');
    const undone = await seller.client.post(`/api/jobs/${jobs.items[0].id}/undo`);
    expect(undone.status).toBe(200);
    await expect.poll(() => credits(seller), { timeout: 15_000 }).toBe(4);
    expect((await seller.client.get('/api/lines')).body.total).toBe(0);
    expect((await seller.client.delete(`${PATH}/${id}`)).body.code).toBe('ACTIVATION_CODE_USED');
    expect(await outcome(activate(code, 'gil'))).toEqual([409, 'ACTIVATION_CODE_USED']);
    const [sale] = (await transfersOf(panel.services.db, seller.id)).filter(
      ({ kind }) => kind === 'sale',
    );
    const again = await panel.admin.post(`/api/credits/transfers/${sale?.id}/refund`, {
      note: 'Again',
    });
    expect(again.body.code).toBe('ALREADY_REFUNDED');
    expect(await credits(seller)).toBe(4);
  });

  test('a name that another line has is refused in the words of a sale, and the code stays unused', async () => {
    const seller = await panel.reseller();
    await seller.client.post('/api/lines', newLine('taken-name'));
    const { code } = await newCode(await panel.reseller());
    const refused = await activate(code, 'taken-name');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Username already exists. Please choose a different username.',
    ]);
    expect((await activate(code, 'a name')).status).toBe(422);
    const long = await activate(code, 'a-name-of-twenty-one-b');
    expect(long.body.data.field_codes).toEqual({ username: 'NAME_TOO_LONG_FOR_CCCAM' });
    expect(await outcome(activate(code, 'free-name'))).toEqual([201, 'free-name']);
  });

  test('taken names are bounded by code, at no cost of its seller, and wrong codes by network', async () => {
    const seller = await panel.reseller();
    await seller.client.post('/api/lines', newLine('bounded'));
    const { code } = await newCode(seller);
    const { db } = panel.services;
    const other = await newCode(seller);
    for (let nth = 0; nth < 10; nth++) {
      expect(await outcome(activate(code, 'bounded'))).toEqual([409, 'USERNAME_EXISTS']);
    }
    expect(await outcome(activate(code, 'bounded'))).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(await outcome(activate(code, 'unbounded'))).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(await outcome(activate(other.code, 'not-hindered'))).toEqual([201, 'not-hindered']);
    const counted = await db
      .selectFrom('rate_limits')
      .select(['scope', 'count'])
      .where('scope', 'in', ['activation-names', 'activation-names-of-seller', 'taken-names'])
      .orderBy('scope')
      .execute();
    expect(counted).toEqual([
      { scope: 'activation-names', count: 10 },
      { scope: 'activation-names-of-seller', count: 10 },
    ]);
    await db.deleteFrom('rate_limits').execute();
    for (let nth = 0; nth < 10; nth++) {
      expect(await outcome(activate('2222-2222-2222-2222-2222', 'x'))).toEqual([
        409,
        'INVALID_OR_EXPIRED_CODE',
      ]);
    }
    expect(await outcome(activate(code, 'unbounded'))).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    await db.deleteFrom('rate_limits').execute();
    expect(await outcome(activate(code, 'unbounded'))).toEqual([201, 'unbounded']);
  });

  test('of one seller find 60 taken names in 5 minutes, however many codes it makes and refunds', async () => {
    const seller = await panel.reseller();
    await seller.client.post('/api/lines', newLine('not-yours'));
    const guesser = await panel.reseller();
    const { codes } = (await make(guesser, { count: 8 })).body;
    const outcomes: unknown[] = [];
    for (const { code } of codes) {
      for (let nth = 0; nth < 10; nth++) {
        outcomes.push((await activate(code, 'not-yours')).body.code);
      }
    }
    expect(outcomes.filter((code) => code === 'USERNAME_EXISTS')).toHaveLength(60);
    expect(outcomes.at(-1)).toBe('TOO_MANY_ATTEMPTS');
    expect(await outcome(activate((await newCode(seller)).code, 'for-others'))).toEqual([
      201,
      'for-others',
    ]);
  });

  test('keep the place of their line, and are refused beyond a limit', async () => {
    const seller = await panel.reseller();
    const limit = (lines: number) =>
      panel.admin.send('PUT', `/api/accounts/${seller.id}/limits`, { lines });
    await limit(2);
    const { code } = await newCode(seller);
    expect((await make(seller, { count: 2 })).body.code).toBe('LIMIT_OF_LINES');
    await seller.client.post('/api/lines', newLine('hal'));
    const full = await seller.client.post('/api/lines', newLine('hugo'));
    expect(full.body.code).toBe('LIMIT_OF_LINES');
    expect((await seller.client.get(`/api/accounts/${seller.id}/limits`)).body.lines).toMatchObject(
      { used: 2 },
    );
    await limit(1);
    expect(await outcome(activate(code, 'hedy'))).toEqual(NOT_NOW);
    await limit(2);
    expect(await outcome(activate(code, 'hedy'))).toEqual([201, 'hedy']);
  });

  test('stay good after their seller has ended, but not while it is banned', async () => {
    const seller = await panel.reseller();
    const [one, other] = (await make(seller, { count: 2 })).body.codes;
    await panel.admin.send('PUT', `/api/accounts/${seller.id}/limits`, { ends_on: '2020-01-31' });
    expect((await make(seller)).body.code).toBe('ACCOUNT_ENDED');
    expect(await outcome(activate(one.code, 'ivo'))).toEqual([201, 'ivo']);
    await panel.admin.post(`/api/accounts/${seller.id}/ban`, { suspend_lines: false });
    expect(await outcome(activate(other.code, 'ian'))).toEqual([409, 'INVALID_OR_EXPIRED_CODE']);
    await panel.admin.post(`/api/accounts/${seller.id}/unban`, { resume_lines: false });
    expect(await outcome(activate(other.code, 'ian'))).toEqual([201, 'ian']);
  });

  test('cost what a sale costs, by the same refusals', async () => {
    const seller = await panel.reseller({ credits: 7 });
    const refused = async (body: object) => {
      const reply = await make(seller, body);
      return reply.body.data?.field_codes?.subscription_months ?? reply.body.code;
    };
    expect(await refused({ count: 2 })).toBe('INSUFFICIENT_CREDITS');
    expect(await refused({ quoted_cost: 3 })).toBe('QUOTE_CHANGED');
    expect(await refused({ months: 5 })).toBe('INVALID_SUBSCRIPTION_MONTHS');
    expect((await make(seller, { count: 101 })).status).toBe(422);
    expect((await make(seller, { count: 0 })).status).toBe(422);
    expect(await list(seller)).toEqual([]);
    expect(await credits(seller)).toBe(7);
    const users = await panel.reseller({ credits: 0, group_id: '3' });
    expect((await make(users)).status).toBe(403);
  });

  test('a plan with unused codes stays, and its codes wait while it has no active server', async () => {
    const plan_id = await addPlan(panel, { terms: [{ months: 3, credits: 2 }] });
    const seller = await panel.reseller();
    const { id, code } = await newCode(seller, { plan_id });
    const remove = async () => (await panel.admin.delete(`/api/plans/${plan_id}`)).body;
    expect(await remove()).toMatchObject({ code: 'PLAN_HAS_CODES' });
    await panel.services.db.updateTable('cccam_servers').set({ status: 'inactive' }).execute();
    expect(await outcome(activate(code, 'jan'))).toEqual(NOT_NOW);
    await panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();
    await seller.client.delete(`${PATH}/${id}`);
    expect(await remove()).toEqual({ success: true });
    expect(await list(seller)).toMatchObject([{ plan_id: null, status: 'refunded', cost: 2 }]);
  });

  test('an administrator pays nothing, and ends a code all the same', async () => {
    const { status, body } = await panel.admin.post(PATH, { months: 7 });
    expect([status, body.cost]).toEqual([201, 0]);
    const [{ id, code }] = body.codes;
    const ended = await panel.admin.delete(`${PATH}/${id}`);
    expect(ended.body).toMatchObject({ success: true, refunded: 0 });
    expect((await panel.admin.delete(`${PATH}/${id}`)).body.code).toBe('ALREADY_REFUNDED');
    expect(await outcome(activate(code, 'kim'))).toEqual([409, 'INVALID_OR_EXPIRED_CODE']);
  });
});
