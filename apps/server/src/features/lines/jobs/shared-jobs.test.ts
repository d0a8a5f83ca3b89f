// @module-tag thorough
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { transact } from '../../../db/transaction.ts';
import { moveCredits, SALES } from '../../../domain/credits/credits.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  jobEnd,
  previewBulk,
  readJob,
  requestBulk,
  runBulk,
  undoBulk,
} from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, storeLines } from '../../../testing/lines.ts';
import { countWaiting, holdLine } from '../../../testing/loops.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { type EventStream, openEventStream } from '../../../testing/wire/streams.ts';
import { runJob } from './run-job.ts';

let panel: TestPanel;
let second: Panel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let server: string;
/** An unreachable server, so that nothing is pushed. */
let warehouse: string;
let names = 0;
const streams: EventStream[] = [];
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  server = (await panel.addServer(agent.url)).id;
  warehouse = (await panel.addServer('http://127.0.0.1:1', 'Warehouse')).id;
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await expectBalancedBooks(panel.services.db);
});
afterAll(async () => {
  await second?.close();
  await panel?.stop();
  await agent?.close();
});

/** Inserts lines directly into the database, which is fast. */
function stock(owner: TestAccount, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    username: `stock${names++}`,
    expiry_date: '2030-01-31',
  }));
  return storeLines(panel.services.db, owner.id, warehouse, rows);
}
const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
const renewal = (ids: string[]) => ({ action: 'renew', ids, subscription_months: 1 });
const read = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body;

function renewals(seller: TestAccount) {
  return panel.services.db
    .selectFrom('credit_transfers')
    .selectAll()
    .where('from_id', '=', seller.id)
    .where('kind', '=', 'renewal')
    .execute();
}

test('a job that two panels carry at once does each row once', async () => {
  const seller = await panel.reseller({ credits: 200 });
  const ids = await stock(seller, 60);
  const { body } = await requestBulk(seller.client, renewal(ids));
  const { signal } = new AbortController();
  await Promise.all(
    [panel, second, second].map(({ services }) => runJob(services, body.job.id, signal)),
  );
  const job = await jobEnd(seller.client, body.job.id);
  expect(job).toMatchObject({ done: 60, failed: 0, cost: 120, credits: 80 });
  const paid = (await renewals(seller)).map(({ line_id }) => line_id);
  expect(paid.sort()).toEqual([...ids].sort());
});

test('a job that was cancelled stops, says what was not done, and can be undone', async () => {
  const seller = await panel.reseller({ credits: 1000 });
  const ids = await stock(seller, 150);
  const release = await holdLine(panel.services.db, ids[60] ?? '');
  const { body } = await requestBulk(seller.client, renewal(ids));
  const id: string = body.job.id;
  await eventually(async () =>
    expect((await readJob(seller.client, id, 'none')).done).toBeGreaterThan(0),
  );
  const cancelling = seller.client.post(`/api/jobs/${id}/cancel`);
  // Cancelling waits for rows in progress: they either hold the line's lock or have not begun.
  const isWaiting = eventually(async () => expect(await countWaiting(panel.services.db)).toBe(2));
  await Promise.race([cancelling, isWaiting.catch(() => undefined)]);
  await release();
  const cancelled = await cancelling;
  expect(cancelled.body.job).toMatchObject({ state: 'cancelled', can_undo: true });
  const job = await readJob(seller.client, id);
  expect(job.skipped).toBeGreaterThan(0);
  expect(job.done + job.skipped).toBe(150);
  expect(await renewals(seller)).toHaveLength(job.done);
  expect(await balance(seller)).toBe(1000 - job.done * 2);
  const again = await seller.client.post(`/api/jobs/${id}/cancel`);
  expect([again.status, again.body.code]).toEqual([409, 'JOB_HAS_ENDED']);
  const undo = await undoBulk(seller.client, id);
  expect(undo).toMatchObject({ done: job.done, failed: 0, cost: -job.done * 2 });
  expect(await balance(seller)).toBe(1000);
  const lines = await Promise.all([read(ids[0] ?? ''), read(ids.at(-1) ?? '')]);
  expect(lines.map(({ expiry_date }) => expiry_date)).toEqual(['2030-01-31', '2030-01-31']);
});

test('undoing leaves alone what was changed since, and refunds nothing twice', async () => {
  const seller = await panel.reseller({ credits: 100 });
  const ids = await stock(seller, 4);
  const [changed = '', deleted = '', refunded = '', untouched = ''] = ids;
  const job = await runBulk(seller.client, renewal(ids));
  await seller.client.post(`/api/lines/${changed}/renew`, { subscription_months: 1 });
  await seller.client.delete(`/api/lines/${deleted}`);
  const paid = (await renewals(seller)).find(({ line_id }) => line_id === refunded);
  await transact(panel.services.db, (tx) =>
    moveCredits(tx, {
      kind: 'refund',
      from_id: SALES,
      to_id: seller.id,
      amount: 2,
      actor_id: seller.id,
      refund_of: paid?.id ?? '',
    }),
  );
  expect(await balance(seller)).toBe(92);
  const undo = await undoBulk(seller.client, job.id);
  expect(undo.items.map(({ state, cost, error }) => [state, cost, error?.message])).toEqual([
    ['failed', 0, 'The line has been changed since then'],
    ['failed', 0, 'User not found'],
    ['done', 0, 'This transfer has already been refunded'],
    ['done', -2, undefined],
  ]);
  expect(await balance(seller)).toBe(94);
  expect((await read(changed)).expiry_date).toBe('2030-03-28');
  expect((await read(refunded)).expiry_date).toBe('2030-01-31');
  expect((await read(untouched)).expiry_date).toBe('2030-01-31');
});

test('two jobs that one balance cannot pay do together what it can', async () => {
  const seller = await panel.reseller({ credits: 60 });
  const requested = await Promise.all(
    [await stock(seller, 25), await stock(seller, 25)].map((ids) =>
      requestBulk(seller.client, renewal(ids)),
    ),
  );
  // If the first job ends before the second is requested, the second is refused as a whole.
  const jobs = await Promise.all(
    requested
      .filter(({ status }) => status === 200)
      .map(({ body }) => jobEnd(seller.client, body.job.id)),
  );
  const done = jobs.reduce((sum, job) => sum + job.done, 0);
  expect(await balance(seller)).toBe(60 - done * 2);
  expect(await renewals(seller)).toHaveLength(done);
  expect(done).toBe(jobs.length === 2 ? 30 : 25);
  for (const { error } of jobs.flatMap(({ items }) => items)) {
    if (error) expect(error.message).toBe('Insufficient credits. Required: 2, Available: 0');
  }
});

test('lines of others are not found, by id and by filter', async () => {
  const [seller, stranger] = [await panel.reseller(), await panel.reseller()];
  const [own = ''] = await stock(seller, 1);
  const [foreign = ''] = await stock(stranger, 1);
  const missing = crypto.randomUUID();
  const request = renewal([foreign, own, missing]);
  const said = ({ state, username, error }: Job['items'][number]) => [state, username, error];
  const [first, , third] = (await previewBulk(seller.client, request)).items;
  expect(first && said(first)).toEqual(third && said(third));
  expect(first?.error?.message).toBe('User not found');
  const job = await runBulk(seller.client, request);
  expect(job).toMatchObject({ total: 3, done: 1, skipped: 2, cost: 2 });
  expect(job.items.map(({ position }) => position)).toEqual([2]);
  for (const filter of [{}, { owner_id: stranger.id }, { q: 'stock' }]) {
    await requestBulk(seller.client, { action: 'delete', filter });
  }
  expect((await read(foreign)).expiry_date).toBe('2030-01-31');
  const move = { action: 'move', ids: [own], owner_id: stranger.id };
  expect((await requestBulk(seller.client, move)).body.code).toBe('ADMIN_ONLY_FIELD');
  for (const path of ['', '/csv']) {
    const reply = await stranger.client.get(`/api/jobs/${job.id}${path}`);
    expect([reply.status, reply.body.code]).toEqual([404, 'JOB_NOT_FOUND']);
  }
  const { body } = await stranger.client.get('/api/jobs');
  expect(JSON.stringify(body)).not.toContain(job.id);
});

test('its own account and administrators hear how a job goes on, nobody else', async () => {
  const [seller, stranger] = [await panel.reseller({ credits: 1000 }), await panel.reseller()];
  const below = await panel.below(seller);
  const heard = async (client: TestAccount['client']) => {
    const stream = await openEventStream(client);
    streams.push(stream);
    return stream;
  };
  const [own, other, lower, admin] = [
    await heard(seller.client),
    await heard(stranger.client),
    await heard(below.client),
    await heard(panel.admin),
  ];
  const startedAt = performance.now();
  const job = await runBulk(seller.client, renewal(await stock(seller, 60)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const stream of [own, admin]) {
    await stream.hears({ table: 'jobs', op: 'INSERT', id: job.id ?? '' });
    await stream.hears({ table: 'jobs', op: 'UPDATE', id: job.id ?? '' });
  }
  const updates = own.events.filter(({ table, op }) => table === 'jobs' && op === 'UPDATE');
  // One update at the start, one at the end, and at most one every 300 ms in between.
  expect(updates.length).toBeLessThanOrEqual(2 + seconds / 0.3);
  const silent = await runBulk(stranger.client, renewal(await stock(stranger, 1)));
  await other.hears({ table: 'jobs', op: 'UPDATE', id: silent.id ?? '' });
  expect(JSON.stringify([other.events, lower.events])).not.toContain(job.id);
});

test('an account that is banned under way sells nothing more', async () => {
  const seller = await panel.reseller({ credits: 1000 });
  const ids = await stock(seller, 100);
  const { db } = panel.services;
  const release = await holdLine(db, ids[60] ?? '');
  const { body } = await requestBulk(seller.client, renewal(ids));
  const id: string = body.job.id;
  await eventually(async () => {
    expect((await readJob(panel.admin, id, 'none')).done).toBeGreaterThan(0);
    expect(await countWaiting(db)).toBe(1);
  });
  await db.updateTable('auth_users').set({ banned: true }).where('id', '=', seller.id).execute();
  await release();
  const job = await jobEnd(panel.admin, id);
  expect(job.failed).toBeGreaterThan(0);
  expect(job.done + job.failed).toBe(100);
  expect(await renewals(seller)).toHaveLength(job.done);
  for (const item of job.items.slice(job.done)) expect(item.error?.code).toBe('FORBIDDEN');
});

test('notes, status, owner and server change as previewed and come back', async () => {
  const [seller, heir] = [await panel.reseller(), await panel.reseller()];
  const { id: elsewhere } = await panel.addServer(agent.url, 'Frankfurt 2');
  const sold = await seller.client.post('/api/lines', newLine('mover', { server_id: server }));
  const ids = [sold.body.line.id];
  // The busy server refused some pushes at first, so the line is read until it is synced.
  const before = await eventually(async () => {
    const line = await read(ids[0]);
    expect(line.sync_state).toBe('synced');
    return line;
  });
  const edit = { action: 'edit', ids, notes: 'called', status: 'inactive' };
  const edited = await runBulk(seller.client, edit);
  expect(await read(ids[0])).toMatchObject({
    notes: 'called',
    status: [{ label: 'inactive', color: 'warning' }],
  });
  const repeated = await requestBulk(seller.client, edit);
  expect([repeated.status, repeated.body.code]).toEqual([409, 'NOTHING_TO_DO']);
  const move = { action: 'move', ids, owner_id: heir.id, server_id: elsewhere };
  const moved = await runBulk(panel.admin, move);
  expect(moved.items[0]?.after).toMatchObject({ owner_id: heir.id, server_id: elsewhere });
  expect(await read(ids[0])).toMatchObject({ owner_id: heir.id, server_id: elsewhere });
  // The line no longer belongs to the seller.
  expect((await undoBulk(seller.client, edited.id)).items[0]?.error?.code).toBe('LINE_NOT_FOUND');
  expect(await undoBulk(panel.admin, moved.id)).toMatchObject({ done: 1, cost: 0 });
  const { notes: _, status: __, updated_at: ___, customer: ____, ...rest } = before;
  await eventually(async () => expect(await read(ids[0])).toMatchObject(rest));
});

test('no more lines come back to a server than it takes', async () => {
  const seller = await panel.reseller();
  const { id: small } = await panel.addServer(agent.url, 'Small');
  const lines = Array.from({ length: 5 }, () => ({ username: `small${names++}` }));
  const ids = await storeLines(panel.services.db, seller.id, small, lines);
  const move = { action: 'move', ids, server_id: server };
  const moved = await runBulk(panel.admin, move);
  expect(moved).toMatchObject({ done: 5 });
  await panel.admin.patch(`/api/servers/${small}`, { max_lines: 3 });
  const undo = await undoBulk(panel.admin, moved.id);
  expect(undo).toMatchObject({ done: 3, failed: 2 });
  expect(undo.items.at(-1)?.error?.code).toBe('SERVER_FULL');
});

test('a misspelt filter is refused: it would stand for all lines', async () => {
  const seller = await panel.reseller();
  await stock(seller, 2);
  for (const filter of [{ expires_whithin: 0 }, { server: server }, { statu: 'expired' }]) {
    const reply = await requestBulk(seller.client, { action: 'delete', filter });
    const [name] = Object.keys(filter);
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, [`filter.${name}`]]);
  }
  expect((await seller.client.get('/api/lines/counts')).body.all).toBe(2);
});

test('undoing a renewal makes no more trials than there may be', async () => {
  const seller = await panel.reseller({ credits: 40 });
  const trials = async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      const trial = { is_trial: true, subscription_months: undefined, server_id: server };
      const { body } = await seller.client.post('/api/lines', newLine(`try${names++}`, trial));
      ids.push(body.line.id);
    }
    return ids;
  };
  const renewed = { ...renewal(await trials()), include: ['trial'] };
  const job = await runBulk(seller.client, renewed);
  await trials();
  const undo = await undoBulk(seller.client, job.id);
  expect(undo).toMatchObject({ done: 0, failed: 5, cost: 0 });
  expect(undo.items[0]?.error).toMatchObject({
    code: 'TRIAL_LIMIT_REACHED',
    message: 'Trial limit reached. An account can have at most 5 trials at the same time.',
  });
  expect(await balance(seller)).toBe(30);
});
