import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApi, stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, storeLines, storeTaken } from '../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';

describe('a line on several servers', () => {
  let panel: TestPanel;
  let seller: TestAccount;
  let apis: [MemoryCardServer, MemoryCardServer];
  let servers: [string, string];
  let plan_id: string;
  beforeAll(async () => {
    panel = await startTestPanel('postgres');
    return async () => {
      await panel.stop();
      await stopServers();
    };
  });
  beforeEach(async () => {
    seller = await panel.reseller({ credits: 100 });
    apis = [await startMemoryCardServer('one'), await startMemoryCardServer('two')];
    servers = [(await panel.addServer(apis[0].url)).id, (await panel.addServer(apis[1].url)).id];
    await panel.admin.patch(`/api/servers/${servers[1]}`, { port: 15_000 });
    await panel.admin.post(`/api/servers/${servers[1]}/test`);
    plan_id = await planOn(servers);
  });

  const planOn = (ids: readonly string[]) =>
    addPlan(panel, { serves: 'all', servers: ids.map((server_id) => ({ server_id })) });

  async function sell(username: string): Promise<{ id: string; job_id: string }> {
    const { status, body } = await seller.client.post('/api/lines', newLine(username, { plan_id }));
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: body.line.id, job_id: body.job_id };
  }
  const jobOf = async (id: string) => (await seller.client.get(`/api/jobs/${id}?items=all`)).body;
  const stateOf = async (id: string) => (await seller.client.get(`/api/lines/${id}/state`)).body;
  const creditsOf = async () => (await seller.client.get('/api/me')).body.credits;
  const setAway = (api: MemoryCardServer, isAway: boolean) => {
    api.answersWith = isAway ? { status: 503 } : null;
  };

  test('gets no account by which a line of somebody else still works', async () => {
    const victim = await panel.reseller();
    const { line } = (
      await victim.client.post('/api/lines', newLine('worked', { server_id: servers[1] }))
    ).body;
    apis[1].keptByHand.set('by-hand', 'CCcam.cfg');
    await victim.client.patch(`/api/lines/${line.id}`, { username: 'by-hand' });
    const sold = await seller.client.post(
      '/api/lines',
      newLine('worked', { server_id: servers[0], password: 'other' }),
    );
    expect(sold.status).toBe(201);
    const path = `/api/lines/${sold.body.line.id}/change-plan`;
    expect((await seller.client.post(path, { plan_id })).body.code).toBe('USERNAME_EXISTS');
    const { job } = (
      await seller.client.post('/api/lines/bulk', {
        ...{ action: 'change_plan', ids: [sold.body.line.id], plan_id },
      })
    ).body;
    await eventually(async () => {
      expect((await jobOf(job.id)).items[0].error).toMatchObject({ code: 'USERNAME_EXISTS' });
    });
    // A change of the servers of its plan is refused, too.
    const narrow = await addPlan(panel, { serves: 'all', servers: [{ server_id: servers[0] }] });
    const other = `/api/lines/${sold.body.line.id}/change-plan`;
    expect((await seller.client.post(other, { plan_id: narrow })).status).toBe(200);
    const both = servers.slice(0, 2).map((server_id) => ({ server_id }));
    const widened = await panel.admin.patch(`/api/plans/${narrow}`, { servers: both });
    expect(widened.body).toMatchObject({ code: 'USERNAME_STILL_USED' });
    expect(apis[1].accounts.get('worked')).toMatchObject({ password: 'pw-worked' });
    // A name that the operator has in a file of the server is refused, too.
    apis[1].keptByHand.set('operators', 'CCcam.cfg');
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ names_by_hand: ['operators'] })
      .where('id', '=', servers[1])
      .execute();
    const own = await seller.client.post(
      '/api/lines',
      newLine('operators', { server_id: servers[0] }),
    );
    const changed = await seller.client.post(`/api/lines/${own.body.line.id}/change-plan`, {
      plan_id,
    });
    expect(changed.body.code).toBe('USERNAME_EXISTS');
  });

  test('is delivered again on all of them, and is not delivered while one is missing', async () => {
    const { id, job_id } = await sell('anna-1');
    expect(apis.map(({ accounts }) => accounts.has('anna-1'))).toEqual([true, true]);
    expect(await jobOf(job_id)).toMatchObject({ pending: 0, not_synced: 0 });
    for (const { accounts } of apis) accounts.clear();
    const sync = () => seller.client.post(`/api/lines/${id}/sync`);
    expect((await sync()).body.sync).toEqual({ ok: true, message: null });
    expect(apis.map(({ accounts }) => accounts.has('anna-1'))).toEqual([true, true]);
    expect(await stateOf(id)).toMatchObject({ pending_since: null });
    setAway(apis[1], true);
    expect((await sync()).body.sync).toMatchObject({ ok: false, message: expect.any(String) });
    expect(await stateOf(id)).toMatchObject({ pending_since: expect.any(String) });
  });

  test('of a job waits for the last of its servers', async () => {
    for (const api of apis) setAway(api, true);
    const { id, job_id } = await sell('bert-1');
    const sold = await jobOf(job_id);
    expect(sold.pending + sold.not_synced).toBe(1);
    expect(sold.items).toMatchObject([{ sync_state: expect.not.stringMatching('synced') }]);
    setAway(apis[0], false);
    await seller.client.post(`/api/lines/${id}/sync`);
    const half = await jobOf(job_id);
    expect(half.pending + half.not_synced).toBe(1);
    expect(half.items).toMatchObject([{ sync_state: expect.not.stringMatching('synced') }]);
    setAway(apis[1], false);
    await seller.client.post(`/api/lines/${id}/sync`);
    expect(await jobOf(job_id)).toMatchObject({
      ...{ pending: 0, not_synced: 0 },
      items: [{ sync_state: 'synced' }],
    });
  });

  test('is refunded once none of its servers has it any more', async () => {
    const before = await creditsOf();
    const { job_id } = await sell('cara-1');
    setAway(apis[1], true);
    const undo = await seller.client.post(`/api/jobs/${job_id}/undo`);
    await eventually(() => expect(apis[0].accounts.has('cara-1')).toBe(false));
    expect(await creditsOf()).toBe(before - 3);
    setAway(apis[1], false);
    await eventually(async () => {
      expect(await jobOf(undo.body.job.id)).toMatchObject({ done: 1 });
    });
    expect(apis[1].accounts.has('cara-1')).toBe(false);
    expect(await creditsOf()).toBe(before);
  });

  test('is on the page, in the list and in the comparison of each', async () => {
    const { id } = await sell('dora-1');
    const { admin } = panel;
    const namesOn = async (server: string, client = admin) => {
      const { body } = await client.get(`/api/lines?server_id=${server}`);
      return body.items.map(({ username }: { username: string }) => username);
    };
    for (const server of servers) {
      expect((await admin.get(`/api/servers/${server}`)).body).toMatchObject({ line_count: 1 });
      expect(await namesOn(server)).toEqual(['dora-1']);
      expect(await namesOn(server, seller.client)).toEqual(['dora-1']);
    }
    for (const client of [admin, seller.client]) {
      const { server_id } = (await client.get('/api/lines/counts/choices')).body;
      expect(server_id).toMatchObject({ [servers[0]]: 1, [servers[1]]: 1 });
    }
    expect((await admin.delete(`/api/servers/${servers[1]}`)).body.code).toBe('SERVER_HAS_LINES');
    const compare = async (server: string) =>
      (await admin.get(`/api/servers/${server}/compare`)).body;
    for (const server of servers) {
      expect(await compare(server)).toMatchObject({ same: 1, unknown: { count: 0 } });
    }
    apis[1].accounts.clear();
    expect(await compare(servers[1])).toMatchObject({ missing: { items: ['dora-1'] } });
    await admin.post(`/api/servers/${servers[1]}/mend`, {});
    await eventually(() => expect(apis[1].accounts.has('dora-1')).toBe(true));
    expect((await seller.client.get(`/api/lines/${id}`)).body.servers).toHaveLength(2);
  });

  test('keeps both when all lines of one move to the other, and its customer changes nothing', async () => {
    const { id } = await sell('ella-1');
    const first = (await seller.client.get(`/api/lines/${id}`)).body.server_id;
    const other = servers.find((one) => one !== first);
    await panel.admin.patch(`/api/servers/${other}`, { max_lines: 1 });
    const moved = await panel.admin.post(`/api/servers/${first}/move-lines`, {
      to_server_id: other,
    });
    expect(moved.body).toMatchObject({ moved: 1, to_tell: 0 });
    expect((await seller.client.get(`/api/lines/${id}`)).body).toMatchObject({ server_id: other });
    await panel.admin.patch(`/api/servers/${other}`, { max_lines: null });
    expect(apis.map(({ accounts }) => accounts.has('ella-1'))).toEqual([true, true]);
    // The new address of a further server concerns the line's customer too.
    const body = { public_host: 'new.example', public_port: 4000 };
    const query = new URLSearchParams({ host: 'new.example', port: '4000' });
    for (const server of servers) {
      const counted = await panel.admin.get(`/api/servers/${server}/customers?${query}`);
      expect(counted.body).toEqual({ lines: 1, owners: 1 });
      const edited = await panel.admin.patch(`/api/servers/${server}`, body);
      expect(edited.body.to_tell).toBe(1);
    }
  });

  test('has its sessions ended on all of them', async () => {
    const asked: unknown[] = [];
    const start = async (name: string, ended: number | null) => {
      const api = await startApi(({ url }) => {
        if (url === '/end-sessions') {
          asked.push(name);
          return ended === null ? { status: 404, json: {} } : { status: 200, json: { ended } };
        }
        return { status: 200, json: { version: '1' } };
      });
      return (await panel.addServer(`http://127.0.0.1:${api.port}`, name)).id;
    };
    const [one, two, cannot] = [await start('1', 1), await start('2', 2), await start('3', null)];
    const { db } = panel.services;
    const plan = await planOn([one, two, cannot]);
    const [id] = await storeLines(db, seller.id, one, [{ username: 'fred-1' }]);
    await sql`update users set plan_id = ${plan} where id = ${id}`.execute(db);
    for (const server of [one, two, cannot]) await storeTaken(db, server);
    const { body } = await seller.client.post(`/api/lines/${id}/end-sessions`);
    expect(body).toMatchObject({ ended: 3 });
    expect(asked.toSorted()).toEqual(['1', '2', '3']);
  });
});
