// @module-tag thorough
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startApi, stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { holdChecks } from '../../testing/loops.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let id: string;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  await holdChecks(panel.services.db);
  ({ id } = await panel.addServer(agent.url, 'Moved in'));
});

const file = () => join(agent.dir, 'CCcam.cfg');
const sell = async (username: string, password: string) =>
  (await panel.admin.post('/api/lines', { ...newLine(username, { server_id: id }), password }))
    .body;
const server = async (of = id) => (await panel.admin.get(`/api/servers/${of}`)).body;
const takeOver = async (of = id) =>
  (await panel.admin.post(`/api/servers/${of}/take-over`, {})).body;
const lineNamed = async (username: string) =>
  (await panel.admin.get(`/api/lines?q=${username}`)).body.items[0];

test('rows by hand become the agent’s by one call, with all else that they say', async () => {
  await appendFile(
    file(),
    [
      'F: anna pw-anna 2 0 1 { 0:0:2 } # pays in cash',
      'F: bob pw-bob 1 0 0 { 0:0:1 }',
      'F: carl old-password',
      '#F: dora pw-dora',
      'F: ella pw-ella',
      '',
    ].join('\n'),
  );
  const sold = await sell('anna', 'pw-anna');
  expect(sold).toMatchObject({ sync: { ok: false }, sync_finding: { code: 'KEPT_BY_HAND' } });
  await sell('bob', 'pw-bob');
  await sell('carl', 'new-password');
  const ella = await sell('ella', 'pw-ella');
  // A suspended line whose old row still works is not synced.
  const suspended = await panel.admin.post(`/api/lines/${ella.line.id}/suspend`, {});
  expect(suspended.body).toMatchObject({
    sync: { ok: false },
    line: { sync_state: 'failed', sync_finding: { code: 'KEPT_BY_HAND' } },
  });
  expect(await server()).toMatchObject({ kept_by_hand: 4, pushes_due: 4 });

  expect(await takeOver()).toEqual({
    taken: 3,
    refused: { count: 1, items: [{ username: 'carl', reason: 'password_differs' }] },
    message: null,
    finding: null,
  });
  await eventually(async () => expect(await server()).toMatchObject({ pushes_due: 1 }));
  expect(await server()).toMatchObject({ kept_by_hand: 1 });
  expect(await lineNamed('anna')).toMatchObject({ sync_state: 'synced', on_server: true });
  expect(await lineNamed('carl')).toMatchObject({ sync_state: 'failed' });
  const text = await readFile(file(), 'utf8');
  expect(text).toContain('F: anna pw-anna 2 0 1 { 0:0:2 }');
  expect(text).not.toMatch(/^F: ella /m);

  await panel.admin.patch(`/api/lines/${sold.line.id}`, { password: 'changed' });
  await eventually(async () => {
    expect(await readFile(file(), 'utf8')).toContain('F: anna changed 2 0 1 { 0:0:2 }');
  });
  const { body } = await panel.admin.get('/api/audit?action=server.take_over');
  expect(body.items[0]).toMatchObject({ subject_id: id, data: { queued: 3 } });
  expect(JSON.stringify(body)).not.toContain('pw-anna');
});

test('what the operator has put right is delivered by the next call', async () => {
  const text = await readFile(file(), 'utf8');
  await writeFile(file(), text.replace('F: carl old-password', 'F: carl new-password'));
  expect(await takeOver()).toMatchObject({ taken: 1, refused: { count: 0, items: [] } });
  await eventually(async () => {
    expect(await server()).toMatchObject({ pushes_due: 0, kept_by_hand: 0 });
  });
  expect(await takeOver()).toMatchObject({ taken: 0, refused: { count: 0 } });
});

test('more lines than one call takes are asked for in pages', async () => {
  const asked: number[] = [];
  const api = await startApi(({ method, url, body }) => {
    if (method === 'GET') return { status: 200, json: { version: '1', message: 'OK' } };
    if (url !== '/take-over') {
      const data = { file: 'CCcam.cfg' };
      return { status: 409, json: { message: 'kept', code: 'KEPT_BY_HAND', data } };
    }
    const { accounts } = body as { accounts: { username: string; expiryDate: string }[] };
    expect(accounts[0]?.expiryDate).toMatch(/^\d\d-\d\d-\d{4}$/);
    asked.push(accounts.length);
    const taken = accounts.map(({ username }) => username);
    return { status: 200, json: { message: 'OK', taken: [...taken, 'stranger'], refused: [] } };
  });
  const many = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Many');
  const rows = Array.from({ length: 301 }, (_, row) => ({
    ...{ username: `many-${row}`, password: 'pw', subscription_months: '1' },
    server: 'Many',
  }));
  await panel.admin.post('/api/lines/bulk', { action: 'import', rows });
  await eventually(async () => expect((await server(many.id)).pushes_due).toBe(301));
  expect(await takeOver(many.id)).toMatchObject({ taken: 301, refused: { count: 0 } });
  expect(asked).toEqual([150, 150, 1]);
});

test('a server that cannot take rows over, or does not answer, says so', async () => {
  const api = await startApi(({ method, url }) => {
    if (method === 'GET') return { status: 200, json: { version: '1', message: 'OK' } };
    return url === '/take-over'
      ? { status: 404, json: { message: 'Route not found' } }
      : { status: 409, json: { message: 'kept', code: 'KEPT_BY_HAND', data: { file: 'a' } } };
  });
  const plain = await panel.addServer(`http://127.0.0.1:${api.port}`, 'Plain');
  await panel.admin.post('/api/lines', newLine('plain', { server_id: plain.id }));
  expect(await takeOver(plain.id)).toMatchObject({
    taken: 0,
    message: 'The card server cannot take over rows. HTTP status: 404',
    finding: { code: 'NO_TAKE_OVER', data: { status: 404 } },
  });
  await stopServers();
  expect(await takeOver(plain.id)).toMatchObject({ taken: 0, finding: { code: 'NOT_REACHED' } });
  const nowhere = await panel.admin.post(`/api/servers/${crypto.randomUUID()}/take-over`, {});
  expect(nowhere.body.code).toBe('SERVER_NOT_FOUND');
});

let changed: Awaited<ReturnType<typeof startTestAgent>>;
const path = () => join(changed.dir, 'CCcam.cfg');
async function freshAgent() {
  changed = await startTestAgent();
  onTestFinished(() => changed.close());
  return changed;
}

test('lines that were deleted, renamed or got a new password before lose their old rows', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'Changed before');
  const names = ['del', 'ren', 'pass', 'both'];
  await appendFile(path(), names.map((name) => `F: ${name} pw-${name} 2\n`).join(''));
  await appendFile(path(), 'F: other not-the-password\n');
  const lines = new Map<string, string>();
  for (const name of [...names, 'other']) {
    const body = { ...newLine(name, { server_id: own }), password: `pw-${name}` };
    lines.set(name, (await panel.admin.post('/api/lines', body)).body.line.id);
  }
  const change = (name: string, body: object) =>
    panel.admin.patch(`/api/lines/${lines.get(name)}`, body);
  await panel.admin.delete(`/api/lines/${lines.get('del')}`);
  await panel.admin.delete(`/api/lines/${lines.get('other')}`);
  const renamed = await change('ren', { username: 'renamed' });
  // The line has an error while its former row works, and the finding names the file of that row.
  expect(renamed.body).toMatchObject({
    sync: { ok: false },
    line: { sync_state: 'failed', sync_finding: { code: 'KEPT_BY_HAND' } },
  });
  await change('pass', { password: 'second' });
  await change('pass', { password: 'third' });
  await change('both', { password: 'second' });
  await panel.admin.delete(`/api/lines/${lines.get('both')}`);
  // The renamed line counts once.
  expect(await server(own)).toMatchObject({ kept_by_hand: 5, deletions_due: 4 });

  expect(await takeOver(own)).toMatchObject({
    taken: 4,
    refused: { count: 1, items: [{ username: 'other', reason: 'password_differs' }] },
  });
  await eventually(async () => {
    expect(await server(own)).toMatchObject({ kept_by_hand: 1, pushes_due: 1, deletions_due: 1 });
  });
  const text = await readFile(path(), 'utf8');
  expect(text.match(/^F: .*$/gm)?.sort()).toEqual([
    'F: other not-the-password',
    'F: pass third 2',
    'F: renamed pw-ren 2',
  ]);
  expect(await lineNamed('renamed')).toMatchObject({ sync_state: 'synced', on_server: true });
  // The stored password is removed once the change is complete.
  const { rows } = await sql<{ username: string }>`select username from server_accounts
    where left_password is not null and server_id = ${own}`.execute(panel.services.db);
  expect(rows).toEqual([{ username: 'other' }]);
});

test('a line that was only moved to a server leaves a row by hand there as it is', async () => {
  const { id: home } = await panel.addServer((await freshAgent()).url, 'Adopted here');
  const { id: there } = await panel.addServer((await freshAgent()).url, 'Moved here');
  const names = ['back', 'gone', 'many'];
  await appendFile(path(), names.map((name) => `F: ${name} p\n`).join(''));
  const lines = new Map<string, string>();
  for (const name of names) {
    const body = { ...newLine(name, { server_id: home }), password: 'p' };
    lines.set(name, (await panel.admin.post('/api/lines', body)).body.line.id);
  }
  const move = (name: string, server_id: string) =>
    panel.admin.patch(`/api/lines/${lines.get(name)}`, { server_id });
  for (const name of names) {
    const { body } = await move(name, there);
    expect([name, body.sync_finding.code]).toEqual([name, 'WORKS_ON']);
  }
  await move('back', home);
  await panel.admin.delete(`/api/lines/${lines.get('gone')}`);
  await panel.admin.post(`/api/servers/${there}/move-lines`, { to_server_id: home });
  await eventually(async () => expect((await lineNamed('many')).server_id).toBe(home));
  // A line that was never delivered has nothing to delete.
  await eventually(async () => {
    expect(await server(there)).toMatchObject({ pushes_due: 0, kept_by_hand: 0 });
  });
  expect(await takeOver(there)).toMatchObject({ taken: 0, refused: { count: 0 } });
  expect((await readFile(path(), 'utf8')).match(/^F: .*$/gm)).toEqual(
    names.map((name) => `F: ${name} p`),
  );
});

test('what the operator set on a row stays with its line under another name and password', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'Same line');
  const body = { ...newLine('before', { server_id: own }), password: 'p' };
  const { line } = (await panel.admin.post('/api/lines', body)).body;
  const text = () => readFile(path(), 'utf8');
  const act = (action: string) => panel.admin.post(`/api/lines/${line.id}/${action}`, {});
  const change = (changes: object) => panel.admin.patch(`/api/lines/${line.id}`, changes);
  await writeFile(path(), (await text()).replace('F: before p\n', 'F: before p 2 0 1 # cash\n'));
  /** Waits for a text of the file, because a busy machine replies before the change is made. */
  const expectText = (check: (now: string) => void) => eventually(async () => check(await text()));
  await change({ username: 'after' });
  await expectText((now) => {
    expect(now).toContain('F: after p 2 0 1 # cash\n');
    expect(now).not.toContain('before');
  });
  await act('suspend');
  await expectText((now) => expect(now).not.toContain('after'));
  await change({ password: 'second' });
  await act('resume');
  await expectText((now) => expect(now).toContain('F: after second 2 0 1 # cash\n'));
  await act('suspend');
  await expectText((now) => expect(now).not.toContain('after'));
  await change({ username: 'third', password: 'q' });
  await act('resume');
  await expectText((now) => expect(now).toContain('F: third q 2 0 1 # cash\n'));
  // A name that was deleted and sold again belongs to another customer.
  await panel.admin.delete(`/api/lines/${line.id}`);
  await panel.admin.post('/api/lines', { ...newLine('third', { server_id: own }), password: 'r' });
  await expectText((now) => expect(now).toContain('F: third r\n'));
});

test('a renamed line works by its old name until the new one is taken', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'Renamed');
  const body = { ...newLine('old', { server_id: own }), password: 'p' };
  const { line } = (await panel.admin.post('/api/lines', body)).body;
  await appendFile(path(), 'F: fresh of-another\n');
  const renamed = await panel.admin.patch(`/api/lines/${line.id}`, { username: 'fresh' });
  expect(renamed.body).toMatchObject({
    sync: { ok: false },
    line: {
      username: 'fresh',
      sync_state: 'failed',
      sync_finding: { code: 'WORKS_AS', data: { works_as: 'old' } },
    },
  });
  const rows = async () => (await readFile(path(), 'utf8')).match(/^F: .*$/gm)?.sort();
  expect(await rows()).toEqual(['F: fresh of-another', 'F: old p']);
  await writeFile(path(), (await readFile(path(), 'utf8')).replace('F: fresh of-another\n', ''));
  await eventually(async () => expect(await rows()).toEqual(['F: fresh p']));
});

test('a line that was adopted, suspended and renamed is not synced while its old row works', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'Suspended and renamed');
  const names = ['first', 'last', 'gone'];
  await appendFile(path(), names.map((name) => `F: ${name} p 2 0 1\n`).join(''));
  const lines = new Map<string, string>();
  for (const name of names) {
    const body = { ...newLine(name, { server_id: own }), password: 'p' };
    lines.set(name, (await panel.admin.post('/api/lines', body)).body.line.id);
  }
  const suspend = (name: string) => panel.admin.post(`/api/lines/${lines.get(name)}/suspend`, {});
  const rename = (name: string) =>
    panel.admin.patch(`/api/lines/${lines.get(name)}`, { username: `${name}-b` });
  const notYet = { sync: { ok: false }, line: { sync_finding: { code: 'KEPT_BY_HAND' } } };
  await suspend('first');
  expect((await rename('first')).body).toMatchObject(notYet);
  await rename('last');
  expect((await suspend('last')).body).toMatchObject(notYet);
  await rename('gone');
  const deleted = await panel.admin.delete(`/api/lines/${lines.get('gone')}`);
  expect(deleted.body).toMatchObject({
    sync: { ok: false },
    sync_finding: { code: 'KEPT_BY_HAND' },
  });
  expect(await server(own)).toMatchObject({ kept_by_hand: 3 });
  for (const name of ['first-b', 'last-b']) {
    expect(await lineNamed(name)).toMatchObject({ sync_state: 'failed' });
  }

  expect(await takeOver(own)).toMatchObject({ taken: 3, refused: { count: 0 } });
  await eventually(async () => {
    expect(await server(own)).toMatchObject({ kept_by_hand: 0, pushes_due: 0 });
  });
  expect(await readFile(path(), 'utf8')).not.toMatch(/^F: /m);
  for (const name of ['first', 'last']) {
    expect(await lineNamed(`${name}-b`)).toMatchObject({ sync_state: 'synced', on_server: false });
    await panel.admin.post(`/api/lines/${lines.get(name)}/resume`, {});
    expect(await readFile(path(), 'utf8')).toContain(`F: ${name}-b p 2 0 1\n`);
  }
});

test('a line that was suspended while its agent was away, and then renamed, is not synced', async () => {
  const { dir, url, close } = await freshAgent();
  const { id: own } = await panel.addServer(url, 'Away');
  const body = { ...newLine('away', { server_id: own }), password: 'p' };
  const { line } = (await panel.admin.post('/api/lines', body)).body;
  await close();
  await panel.admin.post(`/api/lines/${line.id}/suspend`, {});
  const renamed = await panel.admin.patch(`/api/lines/${line.id}`, { username: 'away-b' });
  expect(renamed.body.sync.ok).toBe(false);
  expect((await lineNamed('away-b')).sync_state).not.toBe('synced');
  expect(await readFile(path(), 'utf8')).toContain('F: away p\n');
  changed = await startTestAgent(Number(new URL(url).port), dir);
  await eventually(async () => {
    expect(await lineNamed('away-b')).toMatchObject({ sync_state: 'synced', on_server: false });
  });
  expect(await readFile(path(), 'utf8')).not.toMatch(/^F: /m);
  await changed.close();
});

test('of two lines that had one name after the other, each has its own settings', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'One name, two lines');
  await appendFile(path(), 'F: y6 p 2 0 1 # in cash\n');
  const sellHere = (password: string) =>
    panel.admin.post('/api/lines', { ...newLine('y6', { server_id: own }), password });
  const { line } = (await sellHere('p')).body;
  await panel.admin.patch(`/api/lines/${line.id}`, { username: 'y6b' });
  await sellHere('q');
  expect(await takeOver(own)).toMatchObject({ taken: 1, refused: { count: 0 } });
  const rows = async () => (await readFile(path(), 'utf8')).match(/^F: .*$/gm)?.sort();
  await eventually(async () => {
    expect(await rows()).toEqual(['F: y6 q', 'F: y6b p 2 0 1 # in cash']);
  });
});

test('names that share 20 bytes with one by hand are counted and named', async () => {
  const { id: own } = await panel.addServer((await freshAgent()).url, 'Neighbours');
  await appendFile(path(), 'F: a-name-of-twentytwo-by pw\n');
  const body = newLine('a-name-of-twentytwo-', { server_id: own });
  const sold = await panel.admin.post('/api/lines', body);
  expect(sold.body.sync_finding.code).toBe('SHARED_BY_HAND');
  expect(await server(own)).toMatchObject({ kept_by_hand: 1 });
  expect(await takeOver(own)).toMatchObject({
    taken: 0,
    refused: { count: 1, items: [{ username: body.username, reason: 'shares_first_20' }] },
  });
});

test('a line that is moved works where it was until its new server has taken it', async () => {
  const from = await freshAgent();
  const { id: home } = await panel.addServer(from.url, 'Moved from');
  const { id: there } = await panel.addServer((await freshAgent()).url, 'Moved to');
  const before = () => readFile(join(from.dir, 'CCcam.cfg'), 'utf8');
  await appendFile(
    path(),
    ['moved-one', 'moved-many', 'moved-dead'].map((name) => `F: ${name} by-hand\n`).join(''),
  );
  const ids: string[] = [];
  for (const name of ['moved-one', 'moved-many', 'moved-dead']) {
    const body = { ...newLine(name, { server_id: home }), password: 'p' };
    ids.push((await panel.admin.post('/api/lines', body)).body.line.id);
  }
  const [one, , dead] = ids;
  for (const line of [one, dead]) {
    const { body } = await panel.admin.patch(`/api/lines/${line}`, { server_id: there });
    expect(body.sync_finding.code).toBe('WORKS_ON');
  }
  await panel.admin.post(`/api/servers/${home}/move-lines`, { to_server_id: there });
  await eventually(async () => {
    expect(await lineNamed('moved-many')).toMatchObject({
      server_id: there,
      sync_finding: { code: 'WORKS_ON', data: { works_on: 'Moved from' } },
    });
  });
  for (const name of ['moved-one', 'moved-many', 'moved-dead'])
    expect(await before()).toContain(`F: ${name} p\n`);

  // A deleted line works nowhere, and a name that is sold again belongs to another line.
  await panel.admin.delete(`/api/lines/${dead}`);
  await eventually(async () => expect(await before()).not.toContain('F: moved-dead'));
  await panel.admin.delete(`/api/lines/${one}`);
  await panel.admin.post('/api/lines', newLine('moved-one', { server_id: there }));
  await eventually(async () => expect(await before()).not.toContain('F: moved-one'));

  await writeFile(path(), (await readFile(path(), 'utf8')).replace('F: moved-many by-hand\n', ''));
  await panel.admin.post('/api/sync/retry', { all: true });
  await eventually(async () => expect(await before()).not.toContain('F: moved-many'));
  expect(await readFile(path(), 'utf8')).toContain('F: moved-many p\n');
  expect(await lineNamed('moved-many')).toMatchObject({ sync_state: 'synced', on_server: true });
});
