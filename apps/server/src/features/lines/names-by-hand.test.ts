// Names that the operator of a card server has in its files by hand.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { holdChecks } from '../../testing/held/held-checks.ts';
import { previewBulk } from '../../testing/jobs.ts';
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
  ({ client: reseller } = await panel.reseller({ credits: 10 }));
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
  expect(await credits()).toBe(10);

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
