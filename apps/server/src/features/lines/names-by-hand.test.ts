// @module-tag thorough
// Names that the operator of a card server has in its files by hand.
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { previewBulk, runBulk, undoBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { holdChecks } from '../../testing/loops.ts';
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

test('are refused to an import, too, that was asked for before they were written', async () => {
  const { db } = panel.services;
  await sql`create function write_by_hand() returns trigger language plpgsql as $$
    begin
      update cccam_servers set names_by_hand = names_by_hand || 'just-written'::text;
      return new;
    end $$`.execute(db);
  await sql`create trigger write_by_hand after insert on jobs for each row execute function write_by_hand()`.execute(
    db,
  );
  const rows = ['just-written', 'not-written'].map((username) => ({
    ...{ username, password: 'pw', subscription_months: '1', server_id: id },
  }));
  const job = await runBulk(reseller, { action: 'import', rows });
  await sql`drop function write_by_hand cascade`.execute(db);
  expect(job).toMatchObject({ done: 0, failed: 2, cost: 0 });
  expect(job.items.map(({ error }) => error?.code)).toEqual([
    'USERNAME_EXISTS',
    'IMPORT_HAS_INVALID_ROWS',
  ]);
});

test('are taken by administrators, whose customers move in', async () => {
  const { status, body } = await sell('anna', panel.admin);
  expect([status, body.sync_finding.code]).toEqual([201, 'KEPT_BY_HAND']);
});

/**
 * Expects that the line stays, is paid, and has a finding that explains why it does not work. Its
 * seller can undo it at any time.
 */
async function expectRefused(username: string, code: string) {
  const { items } = (await reseller.get(`/api/lines?q=${username}`)).body;
  expect(items).toMatchObject([{ username, sync_finding: { code }, on_server: false }]);
  return items[0];
}

/** Undoes the sale of a line, long after the hour for an undo. */
async function undoLate(job_id: string) {
  await sql`update jobs set created_at = now() - interval '3 days', finished_at = now() - interval '3 days'
    where id = ${job_id}`.execute(panel.services.db);
  return undoBulk(reseller, job_id);
}

test('a sale that finds one on its server stays, says so, and is undone in full at any time', async () => {
  const left = await credits();
  await writes('F: late pw-late 2\n');
  const key = { 'idempotency-key': 'late' };
  const sale = { ...newLine('late', { server_id: id }), password: 'pw-late' };
  const replies = [];
  for (const _ of ['first', 'again']) replies.push(await reseller.post('/api/lines', sale, key));
  const [first, again] = replies.map(({ status, body }) => [
    status,
    body.line.id,
    body.sync_finding.code,
  ]);
  expect(first).toEqual([201, expect.any(String), 'KEPT_BY_HAND']);
  expect(again).toEqual(first);
  await expectRefused('late', 'KEPT_BY_HAND');
  expect(await credits()).toBe(left - 2);
  // The next sale of a name like this is refused before anything is paid.
  expect(await isFree('late')).toEqual({ is_free: false, problem: null });
  expect(await undoLate(replies[0]?.body.job_id)).toMatchObject({ done: 1, failed: 0 });
  expect(await credits()).toBe(left);
  expect((await reseller.get('/api/lines?q=late')).body.items).toEqual([]);
  await expectBalancedBooks(panel.services.db);
  // Now the row counts as a row of the operator's customer, even with the same password.
  await eventually(async () => {
    const { rows: due } = await sql`select from server_accounts where username = 'late'`.execute(
      panel.services.db,
    );
    expect(due).toEqual([]);
  });
  await panel.admin.post(`/api/servers/${id}/take-over`, {});
  expect(await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8')).toContain('F: late pw-late 2\n');
});

test('and one that clients cannot tell from them', async () => {
  await writes('F: late-name-of-22-bytes pw\n');
  const { status, body } = await sell('late-name-of-22-byte');
  expect([status, body.sync_finding.code]).toEqual([201, 'SHARED_BY_HAND']);
  // A rename makes the line work.
  const renamed = await reseller.patch(`/api/lines/${body.line.id}`, { username: 'another-name' });
  expect(renamed.body).toMatchObject({ line: { username: 'another-name', sync_state: 'synced' } });
});

test('a trial whose sale was undone before it was delivered is not counted', async () => {
  await writes('F: tried pw\n');
  const trial = { server_id: id, is_trial: true, subscription_months: undefined };
  const { status, body } = await reseller.post('/api/lines', newLine('tried', trial));
  expect([status, body.sync_finding.code]).toEqual([201, 'KEPT_BY_HAND']);
  await undoLate(body.job_id);
  const { rows } = await sql`select from trials_made`.execute(panel.services.db);
  expect(rows).toEqual([]);
});

test('a line that its server had is not undone after its hour', async () => {
  const { job_id } = (await sell('served')).body;
  await sql`update jobs set created_at = now() - interval '3 days', finished_at = now() - interval '3 days'
    where id = ${job_id}`.execute(panel.services.db);
  const refused = await reseller.post(`/api/jobs/${job_id}/undo`);
  expect(refused.body.code).toBe('CANNOT_UNDO');
});

test('each name that is found so counts like one that is refused', async () => {
  const { client } = await panel.reseller({ credits: 200 });
  const limit = 60;
  await writes(Array.from({ length: limit }, (_, n) => `F: found-${n} pw\n`).join(''));
  for (let n = 0; n < limit; n++) await sell(`found-${n}`, client);
  expect((await sell('anna', client)).status).toBe(429);
});

/** Makes the server active again, so that lines are sold on it until the panel notices that it is offline. */
const open = () =>
  panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();

/** Runs `work` while the agent is stopped. Then the agent starts again. */
async function away(work: () => Promise<void>): Promise<void> {
  const { url, dir } = agent;
  await agent.close();
  await open();
  await work();
  agent = await startTestAgent(Number(new URL(url).port), dir);
  // The test makes the server active, so that lines are sold on it again.
  await panel.admin.post(`/api/servers/${id}/test`);
}

test('a sale under a name that it got while the agent was away is undone with what was paid for it since', async () => {
  const left = await credits();
  let job_id = '';
  await away(async () => {
    const { line, ...sold } = (await sell('before')).body;
    job_id = sold.job_id;
    await reseller.patch(`/api/lines/${line.id}`, { username: 'behind' });
    const renewal = { subscription_months: 1 };
    expect((await reseller.post(`/api/lines/${line.id}/renew`, renewal)).status).toBe(200);
    expect(await credits()).toBe(left - 4);
    await writes('F: behind pw\n');
  });
  await eventually(() => expectRefused('behind', 'KEPT_BY_HAND'));
  expect(await undoLate(job_id)).toMatchObject({ done: 1, failed: 0 });
  expect(await credits()).toBe(left);
  await expectBalancedBooks(panel.services.db);
  // Nothing of the line remains that could disturb the operator's customers.
  await eventually(async () => {
    const { rows: due } = await sql`select from server_accounts where username = 'behind'`.execute(
      panel.services.db,
    );
    expect(due).toEqual([]);
  });
  expect(await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8')).toContain('F: behind pw\n');
});

test('a name that is by hand is left for another, and the line works', async () => {
  await away(async () => {
    const { line } = (await sell('by-hand')).body;
    await reseller.patch(`/api/lines/${line.id}`, { username: 'not-by-hand' });
    await writes('F: by-hand pw\n');
  });
  await eventually(async () => {
    const { body } = await reseller.get('/api/lines?q=not-by-hand');
    expect(body.items).toMatchObject([{ sync_state: 'synced', on_server: true }]);
  });
  expect(await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8')).toContain('F: by-hand pw\n');
});

test('a line that its server had stays, and says what is in its way', async () => {
  const { line } = (await sell('had')).body;
  const left = await credits();
  const file = join(agent.dir, 'CCcam.cfg');
  await away(async () => {
    // The agent's records are lost, so its rows now count as the operator's.
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
