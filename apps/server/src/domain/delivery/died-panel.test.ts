// @module-tag thorough
// A panel that dies between what a card server did and its own record of it leaves a lease. The account may be there.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { jobEnd } from '../../testing/jobs.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { deliverEverything } from './settle.ts';

let panel: TestPanel;
let seller: TestAccount;
let oscam: OscamServer;
let webif: string;
beforeAll(async () => {
  panel = await startTestPanel('postgres');
  seller = await panel.reseller({ credits: 100 });
  oscam = await startOscamServer();
  webif = (await addOscamServer(panel, oscam, { server_name: 'OSCam' })).id;
});

async function sell(username: string, server_id: string) {
  const { body } = await seller.client.post('/api/lines', newLine(username, { server_id }));
  expect(body.sync.ok).toBe(true);
  return { id: body.line.id as string, job_id: body.job_id as string, username };
}

/** Restores the row as a panel that dies before it records its attempt leaves it. The lease ends after `seconds`. */
async function forgetAttempt({ id }: { id: string }, seconds: number): Promise<void> {
  const { db } = panel.services;
  await sql`update server_accounts set synced_revision = 0, on_server = false, left_password = null,
      claimed_until = now() + make_interval(secs => ${seconds}), next_try_at = now()
    where of_line = ${id}::uuid`.execute(db);
  await sql`delete from line_pushes where line_id = ${id}::uuid`.execute(db);
}

const undo = (id: string) => seller.client.post(`/api/lines/${id}/undo`);
const credits = async () => (await seller.client.get('/api/me')).body.credits;

test('a line of its attempt is not undone as one that never was delivered, also after a refused try', async () => {
  const agent = await startTestAgent();
  const { id: server } = await panel.addServer(agent.url);
  const line = await sell('forgotten', server);
  await agent.close();
  await forgetAttempt(line, -1);
  await eventually(async () => {
    const { body } = await seller.client.get(`/api/lines/${line.id}`);
    expect(body.sync_finding).toMatchObject({ code: 'PUSH_NOT_REACHED' });
  });
  expect((await undo(line.id)).body.code).toBe('LINE_NOT_UNDOABLE');
  const back = await startTestAgent(Number(new URL(agent.url).port), agent.dir);
  await eventually(async () =>
    expect((await readServerFiles(back)).cccam).toContain('F: forgotten '),
  );
  await back.close();
});

test.each(['deleted', 'undone'] as const)(
  'an account that it brought to OSCam goes when its line is %s before the lease has run out',
  async (how) => {
    const line = await sell(`of-dead-${how}`, webif);
    await forgetAttempt(line, 3);
    expect((await undo(line.id)).body.code).toBe('LINE_NOT_UNDOABLE');
    if (how === 'deleted') await seller.client.delete(`/api/lines/${line.id}`);
    else {
      const { body } = await seller.client.post(`/api/jobs/${line.job_id}/undo`);
      await jobEnd(seller.client, body.job.id);
    }
    await eventually(async () => expect(oscam.account(line.username)).toBeUndefined());
  },
);

test('what a restored database has not delivered may have been', async () => {
  const line = await sell('restored', webif);
  await forgetAttempt(line, -1);
  await sql`update server_accounts set claimed_until = null, next_try_at = now() + interval '15 seconds'
    where of_line = ${line.id}::uuid`.execute(panel.services.db);
  await deliverEverything(panel.services.db);
  expect((await undo(line.id)).body.code).toBe('LINE_NOT_UNDOABLE');
  await seller.client.delete(`/api/lines/${line.id}`);
  await eventually(async () => expect(oscam.account(line.username)).toBeUndefined());
});

test('a restored database delivers renewals as renewals', async () => {
  const line = await sell('renewed', webif);
  await seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
  const read = async () => {
    const { rows } = await sql`select operation, on_server from server_accounts
      where of_line = ${line.id}::uuid`.execute(panel.services.db);
    return rows;
  };
  expect(await read()).toEqual([{ operation: 'renew', on_server: true }]);
  await deliverEverything(panel.services.db);
  expect(await read()).toEqual([{ operation: 'renew', on_server: true }]);
});

test('a name that was deleted on another server is no delivery of the line that has it now', async () => {
  const [here, there] = [await startTestAgent(), await startTestAgent()];
  const { id: first } = await panel.addServer(here.url, 'Here');
  const { id: second } = await panel.addServer(there.url, 'There');
  const old = await sell('twice', first);
  await here.close();
  await seller.client.delete(`/api/lines/${old.id}`);
  await there.close();
  const { body } = await seller.client.post('/api/lines', newLine('twice', { server_id: second }));
  const back = await startTestAgent(Number(new URL(here.url).port), here.dir);
  await eventually(async () =>
    expect((await readServerFiles(back)).cccam).not.toContain('F: twice '),
  );
  const before = await credits();
  expect((await undo(body.line.id)).body).toMatchObject({ refunded: 2, credits: before + 2 });
  await back.close();
});
