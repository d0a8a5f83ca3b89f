import type { Agent } from '@linekeeper/agent/agent.ts';
import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { newId } from '../platform/ids.ts';
import { unknownAuditFields } from '../testing/database/changes.ts';
import { withoutTriggers } from '../testing/database/tamper.ts';
import { runBulk, undoBulk } from '../testing/jobs.ts';
import { newLine } from '../testing/lines.ts';
import { databases, startTestAgent, startTestPanel, type TestPanel } from '../testing/panel.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { addSale } from '../testing/world/records.ts';
import { sendSample } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

const audits = new Map(routes.map(({ endpoint, audit }) => [endpoint.name, audit]));
const auditOf = ({ name }: Endpoint) => audits.get(name) ?? null;
const mutations = endpoints.filter(isMutation);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const entriesOf = (requestId: unknown) =>
  world.panel.services.db
    .selectFrom('audit_log')
    .selectAll()
    .where('request_id', '=', String(requestId))
    .execute();

test.each(mutations)('$name says what it leaves in the audit log, or why nothing', (endpoint) => {
  const audit = auditOf(endpoint);
  if (audit && 'action' in audit) return expect(audit.action).toMatch(/^[a-z]+\.[a-z_]+$/);
  const reason = audit && ('notAudited' in audit ? audit.notAudited : audit.auditsItself);
  expect(reason?.length).toBeGreaterThan(20);
});

/** These calls come last, because they delete or end rows that the other calls need. */
const last = [
  'deleteGroup',
  'deleteLine',
  'deleteServer',
  'deleteRedeemCode',
  'refundActivationCode',
  'deletePackage',
  'deleteArticle',
  'deleteMessage',
  'deleteTicket',
  'deleteCannedReply',
  'changePassword',
  'signOut',
];
const inOrder = [
  ...mutations.filter(({ name }) => !last.includes(name)),
  ...last.flatMap((name) => mutations.filter((endpoint) => endpoint.name === name)),
];

/** Calls whose sample changes nothing. */
const previews = new Set(['bulkLines', 'importAccounts']);
/** The second call finds no session to end. */
const endsSessions = new Set(['signOut', 'endOtherSessions']);

test.each(inOrder)('$name leaves one entry where it succeeds, and none where not', async (call) => {
  const { panel, people, missing } = world;
  const { admin } = people;
  const audit = auditOf(call);
  const own = { ...admin.own, transfer: await addSale(panel, admin.own.account) };
  for (const targets of [missing, own]) {
    const { status, headers } = await sendSample(panel.url, call, targets, admin);
    const entries = await entriesOf(headers['x-request-id']);
    const isDone = status < 300 && !previews.has(call.name) && call.name !== 'testCall';
    if (endsSessions.has(call.name) && targets === own) continue;
    const leavesOne = isDone && audit !== null && !('notAudited' in audit);
    expect(entries, `${status}`).toHaveLength(leavesOne ? 1 : 0);
    for (const { actor_id, address, action, subject_id } of entries) {
      expect([actor_id, address]).toEqual([admin.id, '127.0.0.1']);
      expect(subject_id).not.toBe('');
      if (audit && 'action' in audit) expect(action).toBe(audit.action);
    }
  }
});

test('all fields of all these entries are named in the contract', async () => {
  expect(await unknownAuditFields(world.panel)).toEqual([]);
});

describe.each(databases)('the audit log on %s', (kind) => {
  let panel: TestPanel;
  let agent: Agent;
  let server: string;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    agent = await startTestAgent();
    server = (await panel.addServer(agent.url)).id;
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  const entries = (subject_id: string) =>
    panel.services.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', subject_id)
      .orderBy('id')
      .execute();
  const sell = async (username: string, client = panel.admin) =>
    (await client.post('/api/lines', newLine(username, { server_id: server }))).body.line.id;

  test('tells how a line was and became, and that its password changed, not to what', async () => {
    const seller = await panel.reseller();
    const id = await sell('told', seller.client);
    await seller.client.patch(`/api/lines/${id}`, { notes: 'window', password: 'secret-audit' });
    const reply = await seller.client.post(`/api/lines/${id}/renew`, { subscription_months: 3 });
    const [sold, edited, renewed] = await entries(id);
    expect(sold).toMatchObject({ action: 'line.create', actor_id: seller.id, before: null });
    expect(sold?.after).toMatchObject({ username: 'told', owner_id: seller.id });
    expect(edited?.action).toBe('line.edit');
    expect([edited?.before, edited?.after]).toEqual([{ notes: null }, { notes: 'window' }]);
    expect(edited?.data).toMatchObject({ fields: ['password', 'notes'] });
    expect(renewed?.after).toMatchObject({ expiry_date: reply.body.line.expiry_date });
    expect(renewed?.data).toMatchObject({ cost: reply.body.cost });
    await seller.client.delete(`/api/lines/${id}`);
    const removed = (await entries(id)).at(-1);
    expect(removed).toMatchObject({ action: 'line.delete', after: null });
    expect(removed?.before).toMatchObject({ username: 'told', notes: 'window' });
  });

  test('tells how credits and settings were and became', async () => {
    const seller = await panel.reseller({ credits: 10 });
    await panel.admin.post(`/api/accounts/${seller.id}/credits`, { amount: 5, note: 'May' });
    const counted = { credits: 1, note: 'June' };
    const key = { 'idempotency-key': 'counted' };
    await panel.admin.send('PUT', `/api/accounts/${seller.id}/credits`, counted, key);
    const moved = (await entries(seller.id)).filter(({ action }) => action.startsWith('credits'));
    expect(moved.map(({ before, after }) => [before, after])).toEqual([
      [{ credits: 10 }, { credits: 15 }],
      [{ credits: 15 }, { credits: 1 }],
    ]);
    await panel.admin.patch('/api/settings', { trial_days: 3 });
    const set = (await entries('settings')).at(-1);
    expect([set?.before, set?.after]).toEqual([{ trial_days: 2 }, { trial_days: 3 }]);
  });

  test('holds no password of a line, a server or an account', async () => {
    const secrets = ['audit-line-pw', 'audit-server-pw', 'audit-account-pw'];
    const [line, machine, account] = secrets;
    const id = await sell('secretive');
    await panel.admin.patch(`/api/lines/${id}`, { password: line });
    await panel.admin.post(`/api/lines/${id}/reveal`);
    const other = await panel.addServer('http://127.0.0.1:1', 'Other');
    await panel.admin.patch(`/api/servers/${other.id}`, { password: machine });
    await panel.admin.post('/api/accounts', { email: 'a@panel.example', password: account });
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(audit_log)::text as row from audit_log`.execute(panel.services.db);
    const log = rows.map(({ row }) => row).join('\n');
    for (const secret of secrets) expect(log.includes(secret ?? '')).toBe(false);
    expect(log).not.toMatch(/v1:[A-Za-z0-9+/]{20}|argon2/);
  });

  test('keeps nothing of a change that is rolled back, and repeats nothing of one sent again', async () => {
    const poor = await panel.reseller({ credits: 0 });
    const count = async () =>
      (await panel.services.db.selectFrom('audit_log').select('id').execute()).length;
    const before = await count();
    expect((await poor.client.post('/api/lines', newLine('unpaid'))).status).toBe(409);
    const taken = newLine('twice', { server_id: server });
    const key = { 'idempotency-key': `twice-${kind}` };
    expect(await count()).toBe(before);
    for (let time = 1; time <= 2; time++) {
      expect((await panel.admin.post('/api/lines', taken, key)).status).toBe(201);
    }
    expect((await panel.admin.post('/api/lines', taken)).status).toBe(409);
    expect(await count()).toBe(before + 1);
  });

  test('has each row of a job as an act of its own, by whoever asked, from where', async () => {
    const seller = await panel.reseller();
    const ids = [await sell('row-1', seller.client), await sell('row-2', seller.client)];
    const edited = await runBulk(seller.client, { action: 'edit', ids, notes: 'in bulk' });
    const renewed = await runBulk(seller.client, {
      action: 'renew',
      ids,
      subscription_months: 1,
    });
    const undone = await undoBulk(seller.client, renewed.id);
    const rows = [newLine('row-3'), newLine('row-4')];
    const imported = await runBulk(seller.client, { action: 'import', rows, only_valid: true });
    const ofJob = async (id: string | null) =>
      (await entries(String(id))).find(({ action }) => action === 'job.request');
    for (const [job, action] of [
      [edited, 'line.edit'],
      [renewed, 'line.renew'],
      [imported, 'line.import'],
    ] as const) {
      const asked = await ofJob(job.id);
      for (const { line_id } of job.items) {
        const found = (await entries(String(line_id))).filter(
          ({ data }) => (data as { job_id?: string }).job_id === job.id,
        );
        expect(found).toHaveLength(1);
        expect(found[0]).toMatchObject({
          action,
          actor_id: seller.id,
          address: '127.0.0.1',
          request_id: asked?.request_id,
        });
      }
    }
    for (const id of ids) {
      const last = (await entries(id)).at(-1);
      expect(last?.action).toBe('line.undo');
      expect(last?.data).toMatchObject({ job_id: undone.id });
    }
  });

  test('names no field that the contract does not', async () => {
    expect(await unknownAuditFields(panel)).toEqual([]);
  });

  test('is only ever added to, by its owner too', async () => {
    const { db } = panel.services;
    for (const change of [
      sql`update audit_log set action = 'nothing'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ]) {
      await expect(change.execute(db)).rejects.toThrow('audit_log is append-only');
    }
  });

  test('is sealed, and the verification names what was altered, removed or put in', async () => {
    const { db } = panel.services;
    const verify = async () => (await panel.admin.get('/api/credits/verify')).body;
    expect(await verify()).toMatchObject({ ok: true, differences: [] });
    const sealed = await db.selectFrom('audit_sealed').select('entry_id').execute();
    expect(sealed.length).toBeGreaterThan(10);
    const [altered, removed] = await db.selectFrom('audit_log').select('id').limit(2).execute();
    const inserted = newId();
    await withoutTriggers(db, async (tx) => {
      await sql`update audit_log set actor_id = null, address = '10.0.0.1'
        where id = ${altered?.id}`.execute(tx);
      await sql`delete from audit_log where id = ${removed?.id}`.execute(tx);
      await sql`insert into audit_log (id, action, subject_type, subject_id, created_at)
        values (${inserted}, 'line.edit', 'line', 'x', now() - interval '2 days')`.execute(tx);
    });
    const { ok, differences } = await verify();
    expect(ok).toBe(false);
    const kinds = differences.map(({ kind, id }: { kind: string; id: string }) => [kind, id]);
    expect(kinds.toSorted()).toEqual([
      ['audit_changed', altered?.id],
      ['audit_inserted', inserted],
      ['audit_removed', removed?.id],
    ]);
  });
});
