// @module-tag thorough
import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { eventually } from '../../../testing/eventually.ts';
import { jobEnd, readJob, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import { countWaiting, holdLine } from '../../../testing/loops.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { movedTo } from '../../../testing/process/process.ts';

let panel: TestPanel;
let second: Panel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let today: string;
let names = 0;
/** Id of the server that always responds. */
let working: string;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  ({ id: working } = await panel.addServer(agent.url));
  today = panel.services.today();
});
afterEach(() => expectBalancedBooks(panel.services.db));
afterAll(async () => {
  await second?.close();
  await panel?.stop();
  await agent?.close();
});

const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
const read = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body;
const listed = async ({ client }: TestAccount) =>
  (await client.get('/api/jobs')).body.items.map(({ id }: { id: string }) => id);

const everythingDelivered = () =>
  eventually(async () =>
    expect((await panel.admin.get(`/api/sync?server_id=${working}`)).body.total).toBe(0),
  );

async function sell(seller: TestAccount, more: object = {}): Promise<string> {
  const { body } = await seller.client.post('/api/lines', newLine(`undo${names++}`, { ...more }));
  return body.line.id;
}

async function renew({ client }: TestAccount, id: string, body: object = {}) {
  const term = { subscription_months: 1, ...body };
  return (await client.post(`/api/lines/${id}/renew`, term)).body;
}

async function endOn(id: string, expiry_date: string): Promise<void> {
  await panel.services.db.updateTable('users').set({ expiry_date }).where('id', '=', id).execute();
}

/** Undoes a job from two windows of two panels, each of which sends the request twice. */
async function undoFromAllSides({ client }: TestAccount, id: string) {
  const clients = [client, movedTo(second.url, client)];
  const replies = await Promise.all(
    [...clients, ...clients].map((other) => other.post(`/api/jobs/${id}/undo`)),
  );
  const done = replies.filter(({ status }) => status === 200);
  const codes = replies.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
  return { job: await jobEnd(client, done[0]?.body.job.id), done: done.length, codes };
}

describe('the renewal of one line', () => {
  test('is put back and refunded once, from however many sides', async () => {
    const seller = await panel.reseller({ credits: 10 });
    const id = await sell(seller, { is_trial: true, subscription_months: undefined });
    const before = await read(id);
    const renewed = await renew(seller, id);
    expect(renewed).toMatchObject({ cost: 2, credits: 8, line: { is_trial: false } });
    expect(await readJob(seller.client, renewed.job_id)).toMatchObject({
      action: 'renew',
      state: 'done',
      username: before.username,
      total: 1,
      done: 1,
      cost: 2,
      can_undo: true,
      items: [{ line_id: id, after: { expiry_date: renewed.line.expiry_date } }],
    });
    expect(await listed(seller)).toContain(renewed.job_id);

    const { job, done, codes } = await undoFromAllSides(seller, renewed.job_id);
    expect([done, codes]).toEqual([1, ['CANNOT_UNDO', 'CANNOT_UNDO', 'CANNOT_UNDO']]);
    expect(job).toMatchObject({ done: 1, cost: -2, username: before.username });
    expect(job.arguments).toEqual({ undone: 'renew' });
    const { expiry_date, is_trial, subscription_months, status } = before;
    expect(await read(id)).toMatchObject({ expiry_date, is_trial, subscription_months, status });
    expect(await balance(seller)).toBe(10);
    const moved = await transfersOf(panel.services.db, seller.id);
    expect(moved.map(({ kind, amount }) => [kind, amount]).slice(-2)).toEqual([
      ['renewal', 2],
      ['refund', 2],
    ]);
    await eventually(async () =>
      expect((await readServerFiles(agent)).oscam).toMatch(
        new RegExp(`${before.username}\\b[^[]*${expiry_date}`),
      ),
    );
  });

  test('stays where the line was changed since', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const id = await sell(seller);
    const first = await renew(seller, id);
    const later = await renew(seller, id);
    const undo = await undoBulk(seller.client, first.job_id);
    expect(undo).toMatchObject({ done: 0, failed: 1, cost: 0 });
    expect(undo.items[0]?.error?.code).toBe('LINE_CHANGED_SINCE');
    expect(await balance(seller)).toBe(20 - 3 * 2);
    expect((await read(id)).expiry_date).toBe(later.line.expiry_date);
    expect(await undoBulk(seller.client, later.job_id)).toMatchObject({ done: 1, cost: -2 });
  });

  test('offers nothing that would be refused', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const id = await sell(seller);
    await endOn(id, addDays(today, -1));
    expect(await renew(seller, id)).toMatchObject({ cost: 2, job_id: null });
    await endOn(id, today);
    expect((await renew(seller, id)).job_id).not.toBeNull();

    const admin = { client: panel.admin } as TestAccount;
    await endOn(id, addDays(today, -1));
    const set = { subscription_months: undefined, expiry_date: addDays(today, 5) };
    const { job_id } = await renew(admin, id, set);
    expect(await renew(admin, id, set)).toMatchObject({ job_id: null });
    await undoBulk(panel.admin, job_id);
    expect((await read(id)).expiry_date).toBe(addDays(today, -1));
  });

  test('is not to be undone once the line is deleted', async () => {
    const seller = await panel.reseller({ credits: 20 });
    const id = await sell(seller);
    const { job_id } = await renew(seller, id);
    expect((await readJob(seller.client, job_id)).can_undo).toBe(true);
    await seller.client.delete(`/api/lines/${id}`);
    expect((await readJob(seller.client, job_id)).can_undo).toBe(false);
    const refused = await seller.client.post(`/api/jobs/${job_id}/undo`);
    expect([refused.status, refused.body.code]).toEqual([409, 'CANNOT_UNDO']);
    expect(await balance(seller)).toBe(20 - 2 * 2);
  });

  test('is the own account’s to undo, within the hour, and is not listed after it', async () => {
    const [seller, stranger] = [await panel.reseller(), await panel.reseller()];
    const id = await sell(seller);
    const { job_id } = await renew(seller, id);
    expect((await stranger.client.post(`/api/jobs/${job_id}/undo`)).status).toBe(404);
    expect((await panel.admin.post(`/api/jobs/${job_id}/undo`)).body.code).toBe('CANNOT_UNDO');
    await panel.services.db
      .updateTable('jobs')
      .set({ finished_at: sql<Date>`now() - interval '61 minutes'` })
      .where('id', '=', job_id)
      .execute();
    expect((await seller.client.post(`/api/jobs/${job_id}/undo`)).body.code).toBe('CANNOT_UNDO');
    expect(await listed(seller)).not.toContain(job_id);
    expect((await read(id)).expiry_date).toBe(addMonths(today, 2));
  });

  test('and the sale of one that was deleted are not listed after the hour, either', async () => {
    const seller = await panel.reseller();
    const { body } = await seller.client.post('/api/lines', newLine(`undo${names++}`));
    await seller.client.delete(`/api/lines/${body.line.id}`);
    expect(await listed(seller)).toContain(body.job_id);
    await panel.services.db
      .updateTable('jobs')
      .set({ finished_at: sql<Date>`now() - interval '61 minutes'` })
      .where('id', '=', body.job_id)
      .execute();
    expect(await listed(seller)).not.toContain(body.job_id);
  });
});

test('a line that its server gets while its undo waits is refunded once it is gone there', async () => {
  const seller = await panel.reseller();
  const away = await startTestAgent();
  const { id: server_id } = await panel.addServer(away.url);
  await away.close();
  const before = await balance(seller);
  const { body } = await seller.client.post('/api/lines', newLine(`undo${names++}`, { server_id }));
  const { db } = panel.services;
  const release = await holdLine(db, body.line.id);
  const undo = await seller.client.post(`/api/jobs/${body.job_id}/undo`);
  await eventually(async () => expect(await countWaiting(db)).toBe(1));
  await sql`update server_accounts set on_server = true where of_line = ${body.line.id}::uuid`.execute(
    db,
  );
  await release();
  await eventually(async () =>
    expect(await readJob(seller.client, undo.body.job.id, 'none')).toMatchObject({
      ...{ state: 'running', pending: 1, cost: 0 },
    }),
  );
  expect(await balance(seller)).toBe(before - 2);
  await panel.admin.patch(`/api/servers/${server_id}`, { closed_to_new_lines: true });
});

describe('an import', () => {
  const row = (username: string) => ({ username, password: 'pw', subscription_months: '3' });
  const file = (count: number) => Array.from({ length: count }, () => row(`imported${names++}`));
  const imported = (seller: TestAccount, rows: object[]) =>
    runBulk(seller.client, { action: 'import', rows });

  test('is taken back row by row: deleted here and on its server, and refunded', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const trial = { username: `imported${names++}`, password: 'pw', is_trial: 'yes' };
    const job = await imported(seller, [...file(4), trial]);
    expect(job).toMatchObject({ done: 5, cost: 16, can_undo: true });
    const [sound = '', edited = '', renewed = '', deleted = '', tried = ''] = job.items.map(
      ({ line_id }) => line_id ?? '',
    );
    const nameOf = new Map(job.items.map(({ line_id, username }) => [line_id, username]));
    await eventually(async () => {
      const { cccam } = await readServerFiles(agent);
      for (const name of nameOf.values()) expect(cccam).toContain(`F: ${name} `);
    });
    await seller.client.patch(`/api/lines/${edited}`, { notes: 'called' });
    await renew(seller, renewed);
    await seller.client.delete(`/api/lines/${deleted}`);
    expect(await balance(seller)).toBe(100 - 16 - 2);

    const undo = await undoBulk(seller.client, job.id);
    expect(undo).toMatchObject({ done: 2, failed: 3, cost: -4, arguments: { undone: 'import' } });
    expect(undo.items.map(({ state, cost, error }) => [state, cost, error?.code])).toEqual([
      ['done', -4, undefined],
      ['failed', 0, 'LINE_CHANGED_SINCE'],
      ['failed', 0, 'LINE_CHANGED_SINCE'],
      ['failed', 0, 'LINE_NOT_FOUND'],
      ['done', 0, undefined],
    ]);
    expect(await balance(seller)).toBe(100 - 16 - 2 + 4);
    for (const id of [sound, tried]) {
      expect((await panel.admin.get(`/api/lines/${id}`)).status).toBe(404);
    }
    expect((await read(edited)).notes).toBe('called');
    await eventually(async () => {
      const { cccam } = await readServerFiles(agent);
      for (const id of [sound, tried]) expect(cccam).not.toContain(`F: ${nameOf.get(id)} `);
      expect(cccam).toContain(`F: ${nameOf.get(edited)} `);
    });
  });

  test('is not offered once all of its lines were changed', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const job = await imported(seller, file(2));
    await delivered(job);
    for (const { line_id } of job.items) {
      await seller.client.patch(`/api/lines/${line_id}`, { notes: 'called' });
    }
    expect((await readJob(seller.client, job.id)).can_undo).toBe(false);
    const refused = await seller.client.post(`/api/jobs/${job.id}/undo`);
    expect([refused.status, refused.body.code]).toEqual([409, 'LINE_CHANGED_SINCE']);
  });

  const delivered = (job: { items: { username: string }[] }) =>
    eventually(async () => {
      const { rows } = await sql`select from line_pushes where ok and operation = 'add'
        and username = any(${job.items.map(({ username }) => username)}::text[])`.execute(
        panel.services.db,
      );
      expect(rows).toHaveLength(job.items.length);
    });

  test('is taken back once, from however many sides', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const job = await imported(seller, file(20));
    await delivered(job);
    const undone = await undoFromAllSides(seller, job.id ?? '');
    expect(undone.done).toBe(1);
    expect(undone.job).toMatchObject({ done: 20, failed: 0, cost: -80 });
    expect(await balance(seller)).toBe(100);
    expect((await seller.client.get('/api/lines/counts')).body.all).toBe(0);
  });

  test('of a name that its server keeps is refunded once the server has taken it back', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const rows = file(1);
    const first = await imported(seller, rows);
    await delivered(first);
    const { port } = new URL(agent.url);
    await agent.close();
    // While the server is offline, it still has the name, so an undo refunds nothing.
    const undos: string[] = [];
    // Makes the server active again, so that lines are sold on it until the panel notices that it is offline.
    const open = () =>
      panel.services.db
        .updateTable('cccam_servers')
        .set({ status: 'active', failures: 0 })
        .execute();
    for (const left of [96, 92]) {
      await open();
      const job = left === 96 ? first : await imported(seller, rows);
      const { body } = await seller.client.post(`/api/jobs/${job.id}/undo`);
      undos.push(body.job.id);
      await eventually(async () =>
        expect(await readJob(seller.client, body.job.id, 'none')).toMatchObject({
          ...{ state: 'running', done: 0, cost: 0, pending: 1 },
          waits_on: ['Frankfurt 1'],
        }),
      );
      // A row that is undone cannot be cancelled any more.
      await seller.client.post(`/api/jobs/${body.job.id}/cancel`);
      expect(await balance(seller)).toBe(left);
    }
    await open();
    const third = await imported(seller, rows);
    expect(third).toMatchObject({ done: 1, cost: 4 });
    agent = await startTestAgent(Number(port), agent.dir);
    for (const id of undos) {
      await panel.services.db.updateTable('jobs').set({ claimed_until: null }).execute();
      expect(await jobEnd(seller.client, id)).toMatchObject({ state: 'done', done: 1, cost: -4 });
    }
    expect(await balance(seller)).toBe(96);
    await eventually(async () => {
      const { sync_state } = await read(third.items[0]?.line_id ?? '');
      expect(sync_state).toBe('synced');
    });
    expect((await undoBulk(seller.client, third.id)).cost).toBe(-4);
    expect(await balance(seller)).toBe(100);
  });

  test('of a name that its server has not got yet is refunded in full', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const { port } = new URL(agent.url);
    await agent.close();
    const job = await imported(seller, file(1));
    expect((await undoBulk(seller.client, job.id)).cost).toBe(-4);
    agent = await startTestAgent(Number(port), agent.dir);
  });

  test('of lines that are suspended is refunded in full', async () => {
    const seller = await panel.reseller({ credits: 100 });
    const off = file(3).map((one) => ({ ...one, is_suspended: 'yes' }));
    const job = await imported(seller, off);
    expect(job).toMatchObject({ done: 3, cost: 12 });
    expect(await undoBulk(seller.client, job.id)).toMatchObject({ done: 3, cost: -12 });
    expect(await balance(seller)).toBe(100);
  });

  test('gives no room for more trials than there may be', async () => {
    const seller = await panel.reseller({ credits: 0 });
    await panel.admin.patch('/api/settings', { trial_daily_limit: 3 });
    const trials = file(3).map(({ username, password }) => ({ username, password, is_trial: '1' }));
    const { id } = await imported(seller, trials);
    await everythingDelivered();
    await undoBulk(seller.client, id);
    const { body } = await requestBulk(seller.client, { action: 'import', rows: trials });
    expect(body.code).toBe('IMPORT_HAS_INVALID_ROWS');
    await panel.admin.patch('/api/settings', { trial_daily_limit: 20 });
  });
});

describe('the lines that may be undone in 24 hours', () => {
  const LIMIT = 4;
  beforeAll(() => panel.admin.patch('/api/settings', { undo_daily_limit: LIMIT }));
  afterAll(() => panel.admin.patch('/api/settings', { undo_daily_limit: 20 }));

  const refusal = { code: 'UNDO_LIMIT_REACHED', data: { limit: LIMIT } };
  const jobOfSale = async ({ client }: TestAccount, more = {}): Promise<string> =>
    (await client.post('/api/lines', newLine(`undo${names++}`, { server_id: working, ...more })))
      .body.job_id;
  const undo = ({ client }: TestAccount, id: string) => client.post(`/api/jobs/${id}/undo`);
  async function sales(seller: TestAccount, count: number) {
    const jobs = await Promise.all(Array.from({ length: count }, () => jobOfSale(seller)));
    await everythingDelivered();
    return jobs;
  }

  test('are those that were delivered, of an account and all below it', async () => {
    const top = await panel.reseller({ credits: 40 });
    const [below, sibling] = [
      await panel.below(top, { credits: 10 }),
      await panel.below(top, { credits: 10 }),
    ];
    for (const id of await sales(below, 3)) await undoBulk(below.client, id);
    const id = await sell(sibling);
    const { job_id } = await renew(sibling, id);
    await undoBulk(sibling.client, job_id);
    for (const account of [below, sibling, top]) {
      const sale = await jobOfSale(account);
      expect((await undo(account, sale)).body).toMatchObject(refusal);
      expect((await readJob(account.client, sale)).can_undo).toBe(true);
    }
    const [stranger, admin] = [await panel.reseller(), { client: panel.admin } as TestAccount];
    for (const account of [stranger, admin]) {
      expect((await undo(account, await jobOfSale(account))).status).toBe(200);
    }
  });

  test('count also if the line got another name and its own again meanwhile', async () => {
    const seller = await panel.reseller({ credits: 100 });
    for (const sale of await sales(seller, LIMIT)) await undoBulk(seller.client, sale);
    const id = await sell(seller, { server_id: working });
    const { job_id, line } = await renew(seller, id);
    for (const username of [`${line.username}-x`, line.username]) {
      await everythingDelivered();
      await seller.client.patch(`/api/lines/${id}`, { username });
    }
    await everythingDelivered();
    expect((await undo(seller, job_id)).body).toMatchObject(refusal);
  });

  test('are no trials, no edits, and nothing that its server has not got', async () => {
    const seller = await panel.reseller({ credits: 100 });
    for (const sale of await sales(seller, LIMIT)) await undoBulk(seller.client, sale);
    const trial = await jobOfSale(seller, { is_trial: true, subscription_months: undefined });
    expect(await undoBulk(seller.client, trial)).toMatchObject({ done: 1 });
    const ids = [await sell(seller), await sell(seller)];
    const edited = await runBulk(seller.client, { action: 'edit', ids, notes: 'wrong' });
    expect(await undoBulk(seller.client, edited.id)).toMatchObject({ done: 2 });
    const away = await startTestAgent();
    const { id: server_id } = await panel.addServer(away.url);
    const [here = ''] = ids;
    const there = (await seller.client.post('/api/lines', newLine(`undo${names++}`, { server_id })))
      .body.line.id;
    await away.close();
    expect((await undo(seller, (await renew(seller, there)).job_id)).status).toBe(200);
    expect(await undoBulk(seller.client, await jobOfSale(seller, { server_id }))).toMatchObject({
      ...{ done: 1, cost: -2 },
    });
    expect((await undo(seller, (await renew(seller, here)).job_id)).body).toMatchObject(refusal);
    await panel.admin.patch(`/api/servers/${server_id}`, { closed_to_new_lines: true });
  });

  test('are not exceeded from two panels, and none is refunded twice', async () => {
    const top = await panel.reseller({ credits: 100 });
    const accounts = [top, await panel.below(top, { credits: 20 })];
    const jobs: [TestAccount, string][] = [];
    for (const account of accounts) {
      for (const sale of await sales(account, LIMIT)) jobs.push([account, sale]);
    }
    const balances = () => Promise.all(accounts.map(balance));
    const before = await balances();
    const replies = await Promise.all(
      jobs.flatMap(([account, id]) => {
        const clients = [account.client, movedTo(second.url, account.client)];
        return clients.map(async (client) => {
          const { status, body } = await client.post(`/api/jobs/${id}/undo`);
          return status === 200
            ? jobEnd(account.client, body.job.id)
            : { done: 0, failed: 0, code: body.code, items: [] };
        });
      }),
    );
    expect(replies.reduce((sum, { done }) => sum + done, 0)).toBe(LIMIT);
    const codes = replies.flatMap((reply) =>
      'code' in reply ? reply.code : reply.items.flatMap(({ error }) => error?.code ?? []),
    );
    expect(new Set([...codes, 'UNDO_LIMIT_REACHED', 'CANNOT_UNDO'])).toEqual(
      new Set(['UNDO_LIMIT_REACHED', 'CANNOT_UNDO']),
    );
    const given = (await balances()).map((credits, index) => credits - (before[index] ?? 0));
    expect(given.reduce((sum, one) => sum + one, 0)).toBe(LIMIT * 2);
  });

  test('are counted again when the day is over', async () => {
    const seller = await panel.reseller({ credits: 100 });
    for (const sale of await sales(seller, LIMIT)) await undoBulk(seller.client, sale);
    const last = await jobOfSale(seller);
    expect((await undo(seller, last)).body).toMatchObject(refusal);
    await sql`update rate_limits set window_ends_at = now() - interval '1 second'
      where scope = 'undone-lines-a-day' and subject = ${seller.id}`.execute(panel.services.db);
    expect(await undoBulk(seller.client, last)).toMatchObject({ done: 1, cost: -2 });
  });
});
