// @module-tag thorough
// Names that the operator of a card server has in its files by hand.
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeBackIfKept } from '../../domain/delivery/take-back.ts';
import { eventually } from '../../testing/eventually.ts';
import { holdChecks } from '../../testing/held/held-checks.ts';
import { previewBulk, readJob, runBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAgent,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
let id: string;
let reseller: Awaited<ReturnType<TestPanel['reseller']>>['client'];
const writes = (text: string) => appendFile(join(agent.dir, 'CCcam.cfg'), text);
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  await holdChecks(panel.services.db);
  await writes('F: anna pw-anna 2\nF: a-name-of-twentytwo-by pw\n');
  ({ id } = await panel.addServer(agent.url, 'With rows by hand'));
  await panel.admin.post(`/api/servers/${id}/test`);
  ({ client: reseller } = await panel.reseller({ credits: 30 }));
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

const sell = (username: string, client = reseller) =>
  client.post('/api/lines', newLine(username, { server_id: id }));
const credits = async () => (await reseller.get('/api/me')).body.credits;
const isFree = async (username: string) =>
  (await reseller.post('/api/lines/check-name', { username, server_id: id })).body;

test('are refused before anything is paid, in the form, in a file and as a new name', async () => {
  expect(await isFree('anna')).toEqual({ is_free: false, problem: null });
  expect(await isFree('bob')).toEqual({ is_free: true, problem: null });
  expect((await sell('anna')).body).toMatchObject({ code: 'USERNAME_EXISTS' });
  const shared = 'a-name-of-twentytwo-';
  expect(await isFree(shared)).toEqual({ is_free: true, problem: 'NAME_SHARES_FIRST_20' });
  expect((await sell(shared)).body).toMatchObject({ code: 'NAME_SHARES_FIRST_20' });
  expect(await credits()).toBe(30);

  const { line } = (await sell('bob')).body;
  const left = await credits();
  const renamed = await reseller.patch(`/api/lines/${line.id}`, { username: 'anna' });
  expect(renamed.body).toMatchObject({ code: 'USERNAME_EXISTS' });
  const row = { username: 'anna', password: 'pw', subscription_months: '1' };
  const planned = await previewBulk(reseller, { action: 'import', rows: [row] });
  expect(planned.items[0]?.error).toMatchObject({ field: 'username', code: 'USERNAME_EXISTS' });
  expect(await credits()).toBe(left);
});

test('are taken by administrators, whose customers move in', async () => {
  const { status, body } = await sell('anna', panel.admin);
  expect([status, body.sync_finding.code]).toEqual([201, 'KEPT_BY_HAND']);
});

/** What there is of a sale that was taken back. */
async function expectTakenBack(username: string) {
  expect(await credits()).toBe(left);
  expect((await reseller.get(`/api/lines?q=${username}`)).body.items).toEqual([]);
  const { body } = await panel.admin.get('/api/audit?action=line.delete');
  expect(body.items[0]).toMatchObject({ before: { username } });
  await expectBalancedBooks(panel.services.db);
}
let left: number;

test('are refused, and nothing is paid, where only the agent knew of them', async () => {
  left = await credits();
  await writes('F: late pw-late 2\n');
  const key = { 'idempotency-key': 'late' };
  const sale = { ...newLine('late', { server_id: id }), password: 'pw-late' };
  for (const _ of ['first', 'again']) {
    const { status, body } = await reseller.post('/api/lines', sale, key);
    expect([status, body.code, body.data]).toEqual([
      409,
      'USERNAME_EXISTS',
      { field_codes: { username: 'USERNAME_EXISTS' } },
    ]);
  }
  await expectTakenBack('late');
  // The next one is refused before.
  expect(await isFree('late')).toEqual({ is_free: false, problem: null });
  const { rows } = await sql`select from credit_transfers where username = 'late'`.execute(
    panel.services.db,
  );
  expect(rows).toHaveLength(2);
  // And the row is of the operator's customer, with the same password too.
  await eventually(async () => {
    const { rows: due } = await sql`select from server_accounts where username = 'late'`.execute(
      panel.services.db,
    );
    expect(due).toEqual([]);
  });
  await panel.admin.post(`/api/servers/${id}/take-over`, {});
  expect(await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8')).toContain('F: late pw-late 2\n');
});

test('and those that clients cannot tell from them', async () => {
  left = await credits();
  await writes('F: late-name-of-22-bytes pw\n');
  const { status, body } = await sell('late-name-of-22-byte');
  expect([status, body.code]).toEqual([422, 'NAME_SHARES_FIRST_20']);
  await expectTakenBack('late-name-of-22-byte');
});

test('a trial that was taken back is not counted', async () => {
  await writes('F: tried pw\n');
  const trial = { server_id: id, is_trial: true, subscription_months: undefined };
  expect((await reseller.post('/api/lines', newLine('tried', trial))).status).toBe(409);
  const { rows } = await sql`select from trials_made`.execute(panel.services.db);
  expect(rows).toEqual([]);
});

const notices = async () => (await reseller.get('/api/notifications')).body.items;
const isGone = async (username: string) =>
  expect((await reseller.get(`/api/lines?q=${username}`)).body.items).toEqual([]);

test('a row of a file whose name is there by hand fails by itself, and is not paid', async () => {
  left = await credits();
  await writes('F: of-a-file pw\n');
  const row = (username: string) => ({ username, password: 'pw', subscription_months: '1' });
  const rows = [row('of-a-file'), row('beside-it')];
  const job = await runBulk(reseller, { action: 'import', rows });
  await eventually(async () => {
    const { items, failed, cost } = await readJob(reseller, job.id);
    expect({ failed, cost }).toEqual({ failed: 1, cost: 2 });
    expect(items).toMatchObject([
      { username: 'of-a-file', state: 'failed', error: { code: 'USERNAME_EXISTS' }, cost: 0 },
      { username: 'beside-it', state: 'done', error: null, cost: 2 },
    ]);
  });
  await isGone('of-a-file');
  expect(await credits()).toBe(left - 2);
  await expectBalancedBooks(panel.services.db);
  expect((await notices())[0]).toMatchObject({ title: 'Lines of an import were taken back' });
});

/** Lines are sold on the server until it is known to be away. */
const open = () =>
  panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();

/** Runs a step while the agent is away; then the agent comes back. */
async function away(work: () => Promise<void>): Promise<void> {
  const { url, dir } = agent;
  await agent.close();
  await open();
  await work();
  agent = await startTestAgent(Number(new URL(url).port), dir);
  // So that lines are sold on it again.
  await panel.admin.post(`/api/servers/${id}/test`);
}

test('a sale that reaches the agent later is taken back then, with all that was paid for it', async () => {
  left = await credits();
  await away(async () => {
    const { status, body } = await sell('later');
    expect([status, body.sync.ok]).toEqual([201, false]);
    const renewal = { subscription_months: 1 };
    expect((await reseller.post(`/api/lines/${body.line.id}/renew`, renewal)).status).toBe(200);
    const trial = { server_id: id, is_trial: true, subscription_months: undefined };
    await open();
    expect((await reseller.post('/api/lines', newLine('later-trial', trial))).status).toBe(201);
    expect(await credits()).toBe(left - 4);
    await writes('F: later pw\nF: later-trial pw\n');
  });
  await eventually(async () => {
    await isGone('later');
    expect(await credits()).toBe(left);
  });
  await expectBalancedBooks(panel.services.db);
  const titles = (await notices()).map(({ title }: { title: string }) => title);
  expect(titles).toContain('Sale taken back: later');
  expect(titles).toContain('Sale taken back: later-trial');
  const { rows } = await sql`select from trials_made`.execute(panel.services.db);
  expect(rows).toEqual([]);
  // Nothing of it is in the way of the operator's customers.
  await eventually(async () => {
    const { rows: due } =
      await sql`select from server_accounts where username like 'later%'`.execute(
        panel.services.db,
      );
    expect(due).toEqual([]);
  });
  expect(await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8')).toContain('F: later pw\n');
});

test('a sale under a name that it got while the agent was away is taken back, too', async () => {
  left = await credits();
  await away(async () => {
    const { line } = (await sell('before')).body;
    await reseller.patch(`/api/lines/${line.id}`, { username: 'behind' });
    await writes('F: behind pw\n');
  });
  await eventually(async () => {
    await isGone('behind');
    expect(await credits()).toBe(left);
  });
  // Only the first name is by hand: the line works by the second.
  await away(async () => {
    const { line } = (await sell('by-hand')).body;
    await reseller.patch(`/api/lines/${line.id}`, { username: 'not-by-hand' });
    await writes('F: by-hand pw\n');
  });
  await eventually(async () => {
    const { body } = await reseller.get('/api/lines?q=not-by-hand');
    expect(body.items).toMatchObject([{ sync_state: 'synced', on_server: true }]);
  });
  expect(await credits()).toBe(left - 2);
});

test('after a crash it is taken back with the next attempt, and once by two panels', async () => {
  left = await credits();
  const { db } = panel.services;
  await away(async () => {
    await sell('crashed');
    await sql`create table kept_sold as select sold from server_accounts where username = 'crashed'`.execute(
      db,
    );
    // As if the panel ended right after it had written the refusal down.
    await sql`update server_accounts set sold = null where username = 'crashed'`.execute(db);
    await writes('F: crashed pw\n');
  });
  await eventually(async () => {
    const { body } = await reseller.get('/api/lines?q=crashed');
    expect(body.items).toMatchObject([{ sync_finding: { code: 'KEPT_BY_HAND' } }]);
  });
  expect(await credits()).toBe(left - 2);
  const [account] = await db
    .updateTable('server_accounts')
    .set({ sold: sql`(select sold from kept_sold)`, next_try_at: sql`now() + interval '1 hour'` })
    .where('username', '=', 'crashed')
    .returning(['server_id', 'username', 'sold', 'last_finding'])
    .execute();
  if (!account?.last_finding) throw new Error('not refused');
  const { last_finding, ...refused } = account;
  const both = [1, 2].map(() => takeBackIfKept(db, refused, last_finding, false));
  expect((await Promise.all(both)).sort()).toEqual([false, true]);
  expect(await credits()).toBe(left);
  await expectBalancedBooks(db);
});

test('a line that its server had is never taken back', async () => {
  const { line } = (await sell('had')).body;
  left = await credits();
  const file = join(agent.dir, 'CCcam.cfg');
  await away(async () => {
    // The records of the agent are lost, and its rows are the operator's now.
    for (const name of await readdir(agent.dir)) {
      if (name.startsWith('agent.db')) await rm(join(agent.dir, name));
    }
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^#.*\n/gm, '').replace('F: had pw-had', 'F: had other'));
    await writeFile(join(agent.dir, 'oscam.user'), '');
    await rm(join(agent.dir, '.oscam.user.linekeeper-lock'), { force: true });
  });
  const changed = await reseller.patch(`/api/lines/${line.id}`, { password: 'changed' });
  expect(changed.status).toBe(200);
  await eventually(async () => {
    const { body } = await reseller.get(`/api/lines/${line.id}`);
    expect(body).toMatchObject({ sync_finding: { code: 'KEPT_BY_HAND' } });
  });
  expect(await credits()).toBe(left);
});

test('a new name that the operator has just written is refused, and the line works on', async () => {
  const { line } = (await sell('works')).body;
  await writes('F: just-written pw\nF: other-name-of-22-bytes pw\n');
  const rename = (username: string) => reseller.patch(`/api/lines/${line.id}`, { username });
  expect((await rename('just-written')).body).toMatchObject({ code: 'USERNAME_EXISTS' });
  expect((await rename('other-name-of-22-byte')).status).toBe(422);
  expect((await rename('other-name-of-22-byt')).body.code).toBe('NAME_SHARES_FIRST_20');
  const text = await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8');
  expect(text).toContain('F: works pw-works\n');
  expect((await reseller.get(`/api/lines/${line.id}`)).body).toMatchObject({
    username: 'works',
    sync_state: 'synced',
  });
});
