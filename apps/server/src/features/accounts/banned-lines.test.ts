// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { jobEnd } from '../../testing/jobs.ts';
import { newLine, readServerFiles, storeLines } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let top: TestAccount;
let names = 0;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
  top = await panel.reseller({ credits: 500 });
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

interface Sold {
  id: string;
  username: string;
}

async function sell({ client }: TestAccount): Promise<Sold> {
  return (await client.post('/api/lines', newLine(`ban-line${names++}`))).body.line;
}

/** An account with a line, and an account below it with another line. Both accounts are below `top`. */
async function branch() {
  const account = await panel.below(top, { credits: 15 });
  const below = await panel.below(account, { credits: 5 });
  return { account, below, own: await sell(account), lower: await sell(below) };
}

const preview = async ({ id }: TestAccount, client = top.client) =>
  (await client.get(`/api/accounts/${id}/ban`)).body;
const ban = ({ id }: TestAccount, client = top.client) =>
  client.post(`/api/accounts/${id}/ban`, { suspend_lines: true });
const unban = ({ id }: TestAccount, client = top.client) =>
  client.post(`/api/accounts/${id}/unban`, { resume_lines: true });
const suspension = async ({ id }: Sold) =>
  (await panel.admin.get(`/api/lines/${id}`)).body.suspension;

/** Waits until the only job in a reply has ended. */
async function jobOf(reply: { status: number; body: { job_ids: string[] } }, client = top.client) {
  expect(reply.status).toBe(200);
  expect(reply.body.job_ids).toHaveLength(1);
  return jobEnd(client, reply.body.job_ids[0] ?? '');
}

async function served({ username }: Sold, expected: boolean) {
  await eventually(async () => {
    const { cccam } = await readServerFiles(agent);
    expect(cccam.includes(`F: ${username} `)).toBe(expected);
  });
}

describe('a ban with its lines', () => {
  test('says how many of how many accounts, suspends these by a job, and resumes them', async () => {
    const { account, own, lower } = await branch();
    const beside = await sell(top);
    expect(await preview(account)).toEqual({ lines: 2, accounts: 2, suspended: 0 });
    const job = await jobOf(await ban(account));
    expect(job).toMatchObject({ action: 'suspend', state: 'done', done: 2, failed: 0, total: 2 });
    for (const line of [own, lower]) {
      expect(await suspension(line)).toMatchObject({ by: top.email });
      await served(line, false);
    }
    expect(await suspension(beside)).toBeNull();
    expect(await preview(account)).toEqual({ lines: 0, accounts: 0, suspended: 2 });
    const back = await jobOf(await unban(account));
    expect(back).toMatchObject({ action: 'resume', done: 2, failed: 0 });
    for (const line of [own, lower]) await served(line, true);
    expect(await preview(account)).toEqual({ lines: 2, accounts: 2, suspended: 0 });
  });

  test('leaves alone what was suspended before, and lifting it what was suspended since', async () => {
    const { account, own, lower } = await branch();
    await top.client.post(`/api/lines/${own.id}/suspend`, { reason: 'not paid' });
    expect(await preview(account)).toEqual({ lines: 1, accounts: 1, suspended: 0 });
    expect(await jobOf(await ban(account))).toMatchObject({ total: 1, done: 1 });
    await panel.admin.post(`/api/lines/${lower.id}/suspend`, { reason: 'chargeback' });
    const lifted = await unban(account);
    expect(lifted.body).toMatchObject({ account: { banned: false }, job_ids: [] });
    expect(await suspension(own)).toMatchObject({ reason: 'not paid' });
    expect(await suspension(lower)).toMatchObject({ reason: 'chargeback' });
  });

  test('is refused as a whole to whoever may not change lines', async () => {
    const { account } = await branch();
    const { db } = panel.services;
    await db
      .insertInto('groups')
      .values({ id: 'bans-only', name: 'bans-only', permissions: ['manage_resellers'] })
      .execute();
    const manager = await panel.reseller({ credits: 0, group_id: 'bans-only' });
    expect(await preview(account, manager.client)).toEqual({ lines: 0, accounts: 0, suspended: 0 });
    expect((await ban(account, manager.client)).status).toBe(403);
    const { banned } = (await panel.admin.get(`/api/accounts/${account.id}`)).body;
    expect(banned).toBe(false);
    expect((await panel.admin.get(`/api/accounts/${account.id}/ban`)).body.lines).toBe(2);
  });

  test('counts and suspends only lines that its actor sees', async () => {
    const { account, own } = await branch();
    const { db } = panel.services;
    await db
      .insertInto('groups')
      .values({
        id: 'managers',
        name: 'managers',
        permissions: ['manage_resellers', 'view_users', 'add_credits'],
      })
      .execute();
    const manager = await panel.reseller({ credits: 0, group_id: 'managers' });
    expect((await preview(account, manager.client)).lines).toBe(0);
    expect((await ban(account, manager.client)).body).toMatchObject({
      account: { banned: true },
      job_ids: [],
    });
    expect(await suspension(own)).toBeNull();
  });

  test('is in the audit log with the number of lines, and each line by itself', async () => {
    const { account, own } = await branch();
    await jobOf(await ban(account));
    await jobOf(await unban(account));
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'data'])
      .where('subject_id', 'in', [account.id, own.id])
      .where('action', 'in', ['account.ban', 'account.unban', 'line.suspend', 'line.resume'])
      .orderBy('created_at')
      .execute();
    expect(entries).toMatchObject([
      { action: 'account.ban', data: { suspended_lines: 2 } },
      { action: 'line.suspend', data: { username: own.username } },
      { action: 'account.unban', data: { resumed_lines: 2 } },
      { action: 'line.resume', data: { username: own.username } },
    ]);
  });

  test('that is sent twice with one key orders one job', async () => {
    const { account } = await branch();
    const send = () =>
      top.client.post(
        `/api/accounts/${account.id}/ban`,
        { suspend_lines: true },
        { 'idempotency-key': 'one-ban-key' },
      );
    const [first, second] = [await send(), await send()];
    expect(second.body.job_ids).toEqual(first.body.job_ids);
    await jobOf(first);
  });

  test('more lines than one job takes are several jobs', async () => {
    const account = await panel.below(top);
    const { db } = panel.services;
    const { id: server } = await db
      .selectFrom('cccam_servers')
      .select('id')
      .executeTakeFirstOrThrow();
    for (let chunk = 0; chunk < 5; chunk++) {
      const rows = Array.from({ length: 2001 }, () => ({ username: `ban-many${names++}` }));
      await storeLines(db, account.id, server, rows);
    }
    const { job_ids } = (await ban(account)).body;
    expect(job_ids).toHaveLength(2);
    const totals = await db
      .selectFrom('jobs')
      .select('total')
      .where('id', 'in', job_ids)
      .orderBy('total')
      .execute();
    expect(totals).toEqual([{ total: 5 }, { total: 10_000 }]);
    for (const id of job_ids) await top.client.post(`/api/jobs/${id}/cancel`);
  });
});
