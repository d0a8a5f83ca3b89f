// @module-tag thorough
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import { orphanCalls } from '../../testing/card-servers/orphans.ts';
import { jobEnd, previewBulk, requestBulk, runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine, storeLines } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAgent,
  type TestPanel,
} from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';

const TOO_LONG =
  'A CCcam client sends only the first 20 bytes of a username. Choose a shorter one.';
const SHARED =
  'Another username on this card server has the same first 20 bytes, and a CCcam client sends only those. Choose a different one.';

let names = 0;
/** Returns 20 bytes with which no other name begins. */
const twenty = () => `name-${names++}-`.padEnd(20, 'x');

describe.each(databases)('names that a CCcam client sends, on %s', (kind) => {
  let panel: TestPanel;
  let agents: TestAgent[];
  /** Two entries of one machine, of which the second is for NewCamd, and a server of each kind elsewhere. */
  let cccam: string;
  let newcamd: string;
  let otherCccam: string;
  let otherNewcamd: string;
  beforeAll(async () => {
    agents = [await startTestAgent(), await startTestAgent(), await startTestAgent()];
    panel = await startTestPanel(kind);
    const [one, two, three] = agents.map(({ url }) => url);
    const add = async (url = '', protocol = 'CCcam') => {
      const { id } = await panel.addServer(url, `${protocol} ${names++}`);
      const newcamd_ports = [{ port: 15_001, caid: '0500' }];
      await panel.admin.patch(`/api/servers/${id}`, { protocol, newcamd_ports });
      return id;
    };
    otherNewcamd = await add(three, 'NewCamd');
    otherCccam = await add(two);
    newcamd = await add(one, 'NewCamd');
    cccam = await add(one);
  });
  afterAll(async () => {
    await panel?.stop();
    for (const agent of agents ?? []) await agent.close();
    await stopServers();
  });

  const sell = (username: string, server_id = cccam) =>
    panel.admin.post('/api/lines', newLine(username, { server_id }));
  const sold = async (username: string, server_id = cccam): Promise<Line> => {
    const { status, body } = await sell(username, server_id);
    expect([status, body.code]).toEqual([201, undefined]);
    return body.line;
  };
  const patch = (id: string, body: object) => panel.admin.patch(`/api/lines/${id}`, body);
  const lineOf = async (id: string): Promise<Line> =>
    (await panel.admin.get(`/api/lines/${id}`)).body;
  /** Stores a line that was created before the rule about names. */
  async function stored(username: string, server_id = cccam): Promise<string> {
    const { id: owner } = (await panel.admin.get('/api/me')).body;
    const { db, secrets } = panel.services;
    const [id = ''] = await storeLines(db, owner, server_id, [{ username }]);
    const password = secrets.seal('pw', id);
    await db.updateTable('users').set({ password }).where('id', '=', id).execute();
    return id;
  }
  const refused = (code: string, field = 'username') => ({
    status: 422,
    body: { code, fields: { [field]: code === 'NAME_SHARES_FIRST_20' ? SHARED : TOO_LONG } },
  });
  const tooLong = refused('NAME_TOO_LONG_FOR_CCCAM');
  const shares = refused('NAME_SHARES_FIRST_20');

  test('have at most 20 bytes, and nothing is paid for a longer one', async () => {
    const { client } = await panel.reseller({ credits: 10 });
    const trySell = (username: string, server_id?: string) =>
      client.post('/api/lines', newLine(username, { password: 'pw', server_id }));
    const name = twenty();
    expect(await trySell(`${name}y`, cccam)).toMatchObject(tooLong);
    // The bytes count, not the letters. The newest server is for CCcam too.
    expect(await trySell(`${'ż'.repeat(10)}y`)).toMatchObject(tooLong);
    expect(await trySell('ż'.repeat(11))).toMatchObject(tooLong);
    expect((await client.get('/api/me')).body.credits).toBe(10);
    expect((await trySell('ż'.repeat(10))).status).toBe(201);
    expect((await trySell(name)).status).toBe(201);
    expect((await trySell('n'.repeat(63), otherNewcamd)).status).toBe(201);
    expect((await trySell('n'.repeat(64), otherNewcamd)).body.code).toBe('TOO_MANY_BYTES');
  });

  test('are checked before a sale, by the check of names and by a quote', async () => {
    const name = twenty();
    await stored(`${name}-from-before`);
    const check = async (username: string, server_id?: string) =>
      (await panel.admin.post('/api/lines/check-name', { username, server_id })).body;
    expect(await check(name, cccam)).toEqual({ is_free: true, problem: 'NAME_SHARES_FIRST_20' });
    expect(await check(name)).toEqual({ is_free: true, problem: 'NAME_SHARES_FIRST_20' });
    expect(await check(name, otherCccam)).toEqual({ is_free: true, problem: null });
    expect(await check(`${name}y`, cccam)).toEqual({
      is_free: true,
      problem: 'NAME_TOO_LONG_FOR_CCCAM',
    });
    expect(await check(`${name}y`, otherNewcamd)).toEqual({ is_free: true, problem: null });
    const quote = (username: string, server_id?: string) =>
      panel.admin.post('/api/lines/quote', {
        action: 'create',
        subscription_months: 1,
        username,
        server_id,
      });
    expect(await quote(`${name}y`, cccam)).toMatchObject(tooLong);
    expect(await quote(`${name}y`)).toMatchObject(tooLong);
    expect((await quote(`${name}y`, otherNewcamd)).status).toBe(200);
    expect((await quote(name, cccam)).status).toBe(200);
  });

  test('differ in what is sent from a longer one, wherever on the machine that is', async () => {
    const [first, second, third] = [twenty(), twenty(), twenty()];
    await stored(`${first}y`);
    expect(await sell(first)).toMatchObject(shares);
    await sold(first.slice(0, 19));
    await sold(first, otherCccam);

    await stored(`${second}y`, newcamd);
    expect(await sell(second)).toMatchObject(shares);
    await sold(third);
    expect(await sell(`${third}y`, newcamd)).toMatchObject(shares);
    await sold(`${third}y`, otherNewcamd);
    // NewCamd clients send the whole name.
    await sold(second, newcamd);
  });

  test('differ in it on every server of a line', async () => {
    const servers = [otherCccam, cccam].map((server_id) => ({ server_id }));
    const plan_id = await addPlan(panel, { serves: 'all', servers });
    const [first, second] = [twenty(), twenty()];
    const sale = newLine(first, { plan_id, server_id: otherCccam });
    expect((await panel.admin.post('/api/lines', sale)).body.line.server_id).toBe(otherCccam);
    expect(await sell(`${first}y`, newcamd)).toMatchObject(shares);

    const line = (await panel.admin.post('/api/lines', { ...sale, username: second })).body.line;
    await panel.admin.post(`/api/lines/${line.id}/suspend`, {});
    await stored(`${second}y`, newcamd);
    expect(await panel.admin.post(`/api/lines/${line.id}/resume`)).toMatchObject(shares);
  });

  test('differ in it from names that the panel does not know', async () => {
    const name = twenty();
    const { leave, orphan, adopt } = orphanCalls(panel, () => agents[1] as TestAgent);
    await leave(`${name}-left`);
    const { id } = await orphan(`${name}-left`);
    expect(await sell(name, otherCccam)).toMatchObject(shares);
    const { body } = await adopt({ ids: [id] });
    expect(body.items).toMatchObject([{ username: `${name}-left`, refusal: null }]);
    expect((await lineOf(body.items[0].line_id)).name_problem).toBe('NAME_TOO_LONG_FOR_CCCAM');
    expect(await sell(name, otherCccam)).toMatchObject(shares);
    await sold(name);
  });

  test('that are too long from before stay, are marked, found and counted', async () => {
    const [long, shared] = [`${twenty()}-long`, twenty()];
    const before = (await panel.admin.get('/api/lines/counts')).body.long_names;
    const ids = [await stored(long), await stored(`${shared}-one`), await stored(`${shared}-two`)];
    const short = await stored(twenty());
    const fine = await stored(`${twenty()}-newcamd`, otherNewcamd);
    const problems = await Promise.all([...ids, short, fine].map(lineOf));
    expect(problems.map(({ name_problem }) => name_problem)).toEqual([
      'NAME_TOO_LONG_FOR_CCCAM',
      'NAME_SHARES_FIRST_20',
      'NAME_SHARES_FIRST_20',
      null,
      null,
    ]);
    const list = async (query: string) =>
      (await panel.admin.get(`/api/lines?limit=100&${query}`)).body.items as Line[];
    const found = await list('has_long_name=true');
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(found.every(({ name_problem }) => name_problem !== null)).toBe(true);
    const others = await list('has_long_name=false');
    expect(others.map(({ id }) => id)).toEqual(expect.arrayContaining([short, fine]));
    expect(others.every(({ name_problem }) => name_problem === null)).toBe(true);
    expect((await panel.admin.get('/api/lines/counts')).body.long_names).toBe(before + 3);
    // The line can be changed as before.
    expect((await patch(ids[0] ?? '', { notes: 'kept', password: 'new' })).status).toBe(200);
    expect((await panel.admin.post(`/api/lines/${ids[0]}/suspend`, {})).status).toBe(200);
    expect((await panel.admin.post(`/api/lines/${ids[0]}/resume`, {})).status).toBe(200);
  });

  test('are proposed for a longer one, and a rename gives the line the new name', async () => {
    const name = twenty();
    const id = await stored(`${name}-long`);
    const propose = async () => (await panel.admin.get(`/api/lines/${id}/shorter-name`)).body;
    // The proposed name is the part that clients already send.
    expect(await propose()).toEqual({ username: name });
    await stored(`${name}-other`);
    expect(await propose()).toEqual({ username: `${name.slice(0, 18)}-2` });
    await sold(`${name.slice(0, 18)}-2`);
    const { username } = await propose();
    expect(username).toBe(`${name.slice(0, 18)}-3`);
    expect(await patch(id, { username: `${name}y` })).toMatchObject(tooLong);
    expect(await patch(id, { username: name })).toMatchObject(shares);
    const check = { username: `${name.slice(0, 18)}-9`, line_id: id };
    expect((await panel.admin.post('/api/lines/check-name', check)).body.problem).toBeNull();
    const { status, body } = await patch(id, { username });
    expect([status, body.line.username, body.line.name_problem]).toEqual([200, username, null]);
    expect(body.sync.ok).toBe(true);
  });

  test('may be the first 20 bytes of the own longer one, in letters that are whole', async () => {
    const name = twenty();
    const id = await stored(`${name}-long`);
    const own = { username: name, line_id: id };
    expect((await panel.admin.post('/api/lines/check-name', own)).body).toEqual({
      is_free: true,
      problem: null,
    });
    expect((await patch(id, { username: name })).body.line.username).toBe(name);
    const accented = await stored(`${name.slice(0, 16)}y12żżż`);
    const { body } = await panel.admin.get(`/api/lines/${accented}/shorter-name`);
    expect(body).toEqual({ username: `${name.slice(0, 16)}y12` });
  });

  test('too long ones do not move to a CCcam server, and a job says which', async () => {
    const [name, fits] = [twenty(), await sold(twenty(), otherNewcamd)];
    const long = await sold(`${name}y`, otherNewcamd);
    const place = refused('NAME_TOO_LONG_FOR_CCCAM', 'server_id');
    expect(await patch(long.id, { server_id: cccam })).toMatchObject(place);
    const move = { action: 'move', ids: [long.id, fits.id], server_id: cccam };
    const { items } = await previewBulk(panel.admin, move);
    expect(items.map(({ username, state, error }) => [username, state, error?.code])).toEqual([
      [long.username, 'skipped', 'NAME_TOO_LONG_FOR_CCCAM'],
      [fits.username, 'waiting', undefined],
    ]);
    const job = await runBulk(panel.admin, move);
    expect([job.done, job.skipped]).toEqual([1, 1]);
    expect((await lineOf(long.id)).server_id).toBe(otherNewcamd);
    expect((await lineOf(fits.id)).server_id).toBe(cccam);
    // The edit changes the name and the server at the same time.
    const both = await patch(long.id, { server_id: cccam, username: `${name.slice(0, 19)}z` });
    expect(both.body.line).toMatchObject({ server_id: cccam, name_problem: null });
  });

  test('an undo does not bring one back beside a name that was sold since', async () => {
    const name = twenty();
    const id = await stored(`${name}-long`);
    const job = await runBulk(panel.admin, { action: 'move', ids: [id], server_id: newcamd });
    expect(job.done).toBe(1);
    // On the same machine, the line counts as before.
    expect(await sell(name)).toMatchObject(shares);
    const away = await runBulk(panel.admin, {
      action: 'move',
      ids: [id],
      server_id: otherNewcamd,
    });
    await sold(name);
    const undone = await undoBulk(panel.admin, away.id);
    expect(undone.items.map(({ error }) => error?.code)).toEqual(['NAME_SHARES_FIRST_20']);
    expect((await lineOf(id)).server_id).toBe(otherNewcamd);
  });

  test('an undo does not bring one back beside a line that was given its name since', async () => {
    const name = twenty();
    const ids = [await stored(`${name}-long`)];
    const older = (await sold(twenty())).id;
    const away = await runBulk(panel.admin, { action: 'move', ids, server_id: otherNewcamd });
    expect((await patch(older, { username: name })).body.sync).toMatchObject({ ok: true });
    const undone = await undoBulk(panel.admin, away.id);
    expect(undone.items.map(({ error }) => error?.code)).toEqual(['NAME_SHARES_FIRST_20']);
  });

  test('an undo brings back those that were too long or shared before', async () => {
    const name = twenty();
    const ids = [await stored(`${name}-one`), await stored(`${name}-two`), await stored(name)];
    const moved = await runBulk(panel.admin, { action: 'move', ids, server_id: otherNewcamd });
    expect(moved.done).toBe(3);
    const undone = await undoBulk(panel.admin, moved.id);
    expect(undone.items.map(({ error }) => error?.code)).toEqual([undefined, undefined, undefined]);
    for (const id of ids) expect((await lineOf(id)).server_id).toBe(cccam);
    const suspended = await runBulk(panel.admin, { action: 'suspend', ids });
    expect((await undoBulk(panel.admin, suspended.id)).done).toBe(3);
    for (const id of ids) expect((await lineOf(id)).suspension).toBe(null);
    // The undo moves a line back to a server with another line of the same first 20 bytes, which was always there.
    const [one = ''] = ids;
    const alone = await runBulk(panel.admin, {
      action: 'move',
      ids: [one],
      server_id: otherNewcamd,
    });
    expect((await undoBulk(panel.admin, alone.id)).done).toBe(1);
    expect((await lineOf(one)).server_id).toBe(cccam);
    // All lines of a server are moved with one call.
    const from = (await panel.addServer(agents[1]?.url ?? '', 'To be left')).id;
    const there = twenty();
    const left = [await stored(`${there}-one`, from), await stored(`${there}-two`, from)];
    const target = { to_server_id: otherNewcamd };
    const { body } = await panel.admin.post(`/api/servers/${from}/move-lines`, target);
    expect(body.moved).toBe(2);
    expect((await undoBulk(panel.admin, body.job_id)).done).toBe(2);
    for (const id of left) expect((await lineOf(id)).server_id).toBe(from);
    // The rule applies to a move to a new machine, and the preview names the lines that do not fit there.
    const preview = await previewBulk(panel.admin, { action: 'move', ids, server_id: otherCccam });
    expect(preview.items.map(({ username, error }) => [username, error?.code])).toEqual([
      [`${name}-one`, 'NAME_TOO_LONG_FOR_CCCAM'],
      [`${name}-two`, 'NAME_TOO_LONG_FOR_CCCAM'],
      [name, undefined],
    ]);
  });

  test('a suspended one is not resumed beside a name that shares what is sent', async () => {
    const name = twenty();
    const [id, other] = [await stored(`${name}-long`), await stored(name)];
    const resume = () => panel.admin.post(`/api/lines/${id}/resume`, {});
    await panel.admin.post(`/api/lines/${id}/suspend`, {});
    expect(await resume()).toMatchObject(shares);
    await panel.admin.delete(`/api/lines/${other}`);
    expect((await resume()).status).toBe(200);
  });

  test('all lines of a server move to one for CCcam only if all names fit', async () => {
    const from = (await panel.addServer(agents[1]?.url ?? '', 'To be emptied')).id;
    const newcamd_ports = [{ port: 15_001, caid: '0500' }];
    await panel.admin.patch(`/api/servers/${from}`, { protocol: 'NewCamd', newcamd_ports });
    const [name, taken] = [twenty(), twenty()];
    await stored(`${taken}-there`);
    const [long, shared] = [await sold(`${name}y`, from), await sold(taken, from)];
    await sold(twenty(), from);
    const move = (to_server_id: string) =>
      panel.admin.post(`/api/servers/${from}/move-lines`, { to_server_id });
    const { status, body } = await move(cccam);
    const said = [long.username, shared.username].sort().join(', ');
    const message = `2 usernames cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: ${said}`;
    expect([status, body.code, body.fields]).toEqual([
      422,
      'NAMES_NOT_FOR_CCCAM',
      { to_server_id: message },
    ]);
    expect(body.data).toMatchObject({ count: 2, names: said });
    expect((await lineOf(long.id)).server_id).toBe(from);
    await patch(long.id, { username: name });
    await patch(shared.id, { username: `${taken.slice(0, 19)}z` });
    expect((await move(cccam)).body).toMatchObject({ moved: 3 });
  });

  test('a server becomes one for CCcam only if its names fit', async () => {
    const id = (await panel.addServer(agents[1]?.url ?? '', 'To be changed')).id;
    const change = (body: object) => panel.admin.patch(`/api/servers/${id}`, body);
    await change({ protocol: 'NewCamd', newcamd_ports: [{ port: 15_001, caid: '0500' }] });
    const name = twenty();
    const line = await sold(`${name}y`, id);
    expect(await change({ protocol: 'CCcam', max_lines: 5 })).toMatchObject({
      status: 422,
      body: {
        code: 'NAMES_NOT_FOR_CCCAM',
        data: { count: 1 },
        fields: {
          protocol: `1 username cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: ${name}y`,
        },
      },
    });
    expect((await panel.admin.get(`/api/servers/${id}`)).body.max_lines).toBeNull();
    await patch(line.id, { username: name });
    expect((await change({ protocol: 'CCcam' })).status).toBe(200);
  });

  test('a server does not join a machine that has a name with the same 20 bytes', async () => {
    const api = await startApi(() => ({ status: 200, json: { version: '1', message: 'Done' } }));
    const id = (await panel.addServer(`http://127.0.0.1:${api.port}`, 'To be joined')).id;
    const name = twenty();
    await stored(`${name}-long`);
    const line = await sold(name, id);
    const api_port = Number(new URL(agents[0]?.url ?? '').port);
    const join = () => panel.admin.patch(`/api/servers/${id}`, { api_port });
    expect((await join()).body).toMatchObject({
      code: 'NAMES_NOT_FOR_CCCAM',
      data: { count: 1, names: name },
    });
    await panel.admin.delete(`/api/lines/${line.id}`);
    // A line with a long name from before the rule is moved with the others.
    await stored(`${twenty()}-long`, id);
    expect((await join()).status).toBe(200);
  });

  test('a file is refused with the rows that no CCcam client can use', async () => {
    const [long, taken, fits, pair] = [twenty(), twenty(), twenty(), twenty()];
    await stored(`${taken}-there`);
    const row = (username: string, server_id: string) => newLine(username, { server_id });
    const file = (rows: object[]) => ({ action: 'import', rows });
    const rows = [row(`${long}y`, cccam), row(taken, cccam), row(fits, cccam)];
    const { items } = await previewBulk(panel.admin, file(rows));
    expect(items.map(({ position, error }) => [position, error?.code, error?.field])).toEqual([
      [1, 'NAME_TOO_LONG_FOR_CCCAM', 'username'],
      [2, 'NAME_SHARES_FIRST_20', 'username'],
      [3, undefined, undefined],
    ]);
    expect((await requestBulk(panel.admin, file(rows))).body).toMatchObject({
      code: 'IMPORT_HAS_INVALID_ROWS',
      data: { count: 2 },
    });
    // Each row alone is valid. Both together are not.
    const together = [row(pair, cccam), row(`${pair}y`, newcamd)];
    const { body } = await requestBulk(panel.admin, file(together));
    const job = await jobEnd(panel.admin, body.job.id);
    expect(job.items.map(({ state, error }) => [state, error?.code])).toEqual([
      ['failed', 'NAME_SHARES_FIRST_20'],
      ['failed', 'IMPORT_HAS_INVALID_ROWS'],
    ]);
    const sole = await runBulk(panel.admin, file([row(pair, cccam)]));
    expect(sole.done).toBe(1);
  });
});
