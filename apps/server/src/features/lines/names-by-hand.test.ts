// Names that the operator of a card server has in its files by hand.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdChecks } from '../../testing/held/held-checks.ts';
import { previewBulk } from '../../testing/jobs.ts';
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

test('and those that clients cannot tell from them are no success where only the agent knew', async () => {
  await writes('F: late-name-of-22-bytes pw\n');
  const { status, body } = await sell('late-name-of-22-byte');
  expect([status, body.sync.ok, body.sync_finding]).toEqual([
    201,
    false,
    { code: 'SHARED_BY_HAND', data: { operation: 'add', file: 'CCcam.cfg' } },
  ]);
  expect(body.line.sync_state).toBe('failed');
});
