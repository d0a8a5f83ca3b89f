// A line with a new name, or on a new server, that the card server has not taken: it works by its former account.
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { addMonths } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../../testing/eventually.ts';
import { readJob } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let oscam: OscamServer;
let agent: TestAgent;
let webif: string;
let api: string;
let seller: TestAccount;
beforeAll(async () => {
  [panel, oscam, agent] = await Promise.all([
    startTestPanel(),
    startOscamServer(),
    startTestAgent(),
  ]);
  webif = (await addOscamServer(panel, oscam)).id;
  api = (await panel.addServer(agent.url, 'With an agent')).id;
  seller = await panel.reseller({ credits: 1000 });
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await panel?.stop();
  await oscam?.stop();
  await agent?.close();
});

const credits = async () => (await seller.client.get('/api/me')).body.credits;
const find = async (id: string) => (await seller.client.get(`/api/lines/${id}`)).body;
const act = (id: string, action: string, body: object = {}) =>
  seller.client.post(`/api/lines/${id}/${action}`, body);

async function sell(username: string, server_id: string) {
  const { body } = await seller.client.post('/api/lines', newLine(username, { server_id }));
  expect(body.sync).toEqual({ ok: true, message: null });
  return body.line as { id: string; username: string; expiry_date: string };
}

/** Undoes the job of a reply, and waits until the line's server has loaded the change. */
async function undo(job_id: string) {
  const { body } = await seller.client.post(`/api/jobs/${job_id}/undo`);
  await eventually(async () =>
    expect((await readJob(seller.client, body.job.id, 'none')).state).toBe('done'),
  );
}

/** The data of an account on a card server; undefined if nobody can log in with its name. */
interface Account {
  day: string;
  password: string;
}
interface Kind {
  name: string;
  server: () => string;
  account(username: string): Promise<Account | undefined>;
  /** Writes an account of the operator's into the file. */
  write(username: string): Promise<void>;
  erase(username: string): Promise<void>;
}

const settingOf = (block: string, key: string) =>
  new RegExp(`^${key}\\s*= (.*)$`, 'm').exec(block)?.[1] ?? '';

const file = () => join(agent.dir, 'CCcam.cfg');
const kinds: Kind[] = [
  {
    name: 'OSCam without an agent',
    server: () => webif,
    account: async (username) => {
      const found = oscam.account(username);
      return found && found.disabled !== '1'
        ? { day: found.expdate ?? '', password: found.pwd ?? '' }
        : undefined;
    },
    write: async (username) => void (await oscam.edit(username, { pwd: 'theirs', disabled: '0' })),
    erase: async (username) => void (await oscam.remove(username)),
  },
  {
    name: 'an agent',
    server: () => api,
    account: async (username) => {
      const { oscam: text } = await readServerFiles(agent);
      const block = text.split('[account]').find((one) => settingOf(one, 'user') === username);
      if (!block) return undefined;
      return { day: settingOf(block, 'expdate'), password: settingOf(block, 'pwd') };
    },
    write: (username) => appendFile(file(), `F: ${username} theirs 2\n`),
    erase: async (username) => {
      const text = await readFile(file(), 'utf8');
      await writeFile(file(), text.replace(`F: ${username} theirs 2\n`, ''));
    },
  },
];

describe.each(kinds)('a line whose new name is there already, on $name', (kind) => {
  const on = (name: string) => `${name}-${kinds.indexOf(kind)}`;
  /** Sells a line that an administrator then gives a name of the operator's. */
  async function renamed(name: string) {
    const line = await sell(on(name), kind.server());
    const theirs = on(`${name}-new`);
    await kind.write(theirs);
    const { body } = await panel.admin.patch(`/api/lines/${line.id}`, { username: theirs });
    expect(body).toMatchObject({
      line: { username: theirs },
      sync_finding: { code: 'WORKS_AS', data: { works_as: line.username } },
    });
    return { ...line, theirs };
  }

  test('works as before, and every change of it arrives there', async () => {
    const line = await renamed('follows');
    const account = () => kind.account(line.username);
    expect(await find(line.id)).toMatchObject({
      sync_state: 'failed',
      sync_finding: { code: 'WORKS_AS', data: { works_as: line.username } },
    });
    expect(await account()).toMatchObject({ day: line.expiry_date });

    await seller.client.patch(`/api/lines/${line.id}`, { password: 'another1' });
    await eventually(async () => expect(await account()).toMatchObject({ password: 'another1' }));

    await act(line.id, 'suspend');
    await eventually(async () => expect(await account()).toBeUndefined());
    await act(line.id, 'resume');
    await eventually(async () => expect(await account()).toMatchObject({ password: 'another1' }));
    // The operator's account with the new name is unchanged.
    if (kind.name.startsWith('OSCam')) {
      expect(await kind.account(line.theirs)).toMatchObject({ password: 'theirs' });
    }

    await panel.admin.post(`/api/accounts/${seller.id}/ban`, { suspend_lines: true });
    await eventually(async () => expect(await account()).toBeUndefined());
    await panel.admin.post(`/api/accounts/${seller.id}/unban`, { resume_lines: true });
    await seller.client.signIn(seller.email, seller.password);
    await eventually(async () => expect(await account()).toMatchObject({ password: 'another1' }));

    await seller.client.delete(`/api/lines/${line.id}`);
    await eventually(async () => expect(await account()).toBeUndefined());
  });

  test('gives no month for nothing: what is undone is taken from it', async () => {
    const line = await sell(on('undone'), kind.server());
    const before = await credits();
    const { body } = await act(line.id, 'renew', { subscription_months: 24 });
    expect(await kind.account(line.username)).toMatchObject({
      day: addMonths(line.expiry_date, 24),
    });
    await kind.write(on('undone-new'));
    await panel.admin.patch(`/api/lines/${line.id}`, { username: on('undone-new') });
    await undo(body.job_id);
    expect(await credits()).toBe(before);
    expect(await kind.account(line.username)).toMatchObject({ day: line.expiry_date });
  });

  test('has its former name back', async () => {
    const line = await renamed('back');
    const { body } = await seller.client.patch(`/api/lines/${line.id}`, {
      username: line.username,
    });
    expect(body).toMatchObject({ line: { sync_state: 'synced' }, sync: { ok: true } });
    expect(await kind.account(line.username)).toMatchObject({ day: line.expiry_date });
    await kind.erase(line.theirs);
  });

  test('gets it once it is free, and leaves nothing behind', async () => {
    const line = await renamed('freed');
    await kind.erase(line.theirs);
    await act(line.id, 'sync');
    await eventually(async () => {
      expect(await find(line.id)).toMatchObject({ sync_state: 'synced', sync_finding: null });
      expect(await kind.account(line.theirs)).toMatchObject({ day: line.expiry_date });
      expect(await kind.account(line.username)).toBeUndefined();
    });
  });

  test('and whose former account stays says so, with the name', async () => {
    if (kind.name === 'an agent') return;
    const line = await renamed('kept');
    // The operator takes over the former account, and gives up the new name.
    await oscam.edit(line.username, { pwd: 'theirs', description: 'mine now' });
    await kind.erase(line.theirs);
    await act(line.id, 'sync');
    await eventually(async () =>
      expect(await find(line.id)).toMatchObject({
        sync_finding: { code: 'FORMER_STAYS', data: { works_as: line.username } },
      }),
    );
    await kind.erase(line.username);
    await eventually(async () =>
      expect(await find(line.id)).toMatchObject({ sync_state: 'synced' }),
    );
  });
});

test('a moved line that its new server refuses works on the former one, and follows there', async () => {
  const line = await sell('moved', webif);
  await appendFile(file(), 'F: moved theirs 2\n');
  const renewed = (await act(line.id, 'renew', { subscription_months: 24 })).body;
  const before = await credits();
  const { body } = await panel.admin.patch(`/api/lines/${line.id}`, { server_id: api });
  expect(body.sync_finding).toMatchObject({
    code: 'WORKS_ON',
    data: { works_as: 'moved', file: 'CCcam.cfg' },
  });
  await undo(renewed.job_id);
  expect(await credits()).toBe(before + 15);
  expect(oscam.account('moved')).toMatchObject({ expdate: line.expiry_date });
  await act(line.id, 'suspend');
  await eventually(async () => expect(oscam.account('moved')).toMatchObject({ disabled: '1' }));
  await seller.client.delete(`/api/lines/${line.id}`);
  await eventually(async () => expect(oscam.account('moved')).toBeUndefined());
});

/** Starts a network between the panel and an OSCam, which can lose replies, or all data. */
async function startNetwork(port: number) {
  const network = { state: 'passes' as 'passes' | 'losesAnswers' | 'isDown', port: 0 };
  const server = createServer((near) => {
    near.on('error', () => {});
    if (network.state === 'isDown') return void near.destroy();
    const far = connect(port, '127.0.0.1');
    far.on('error', () => {});
    let asked = '';
    near.on('data', (data) => {
      asked += data.toString('latin1');
      far.write(data);
    });
    far.on('data', (data) => {
      // Only replies to saves are lost, so the saves are carried out.
      if (network.state === 'losesAnswers' && asked.includes('user_edit.html')) near.destroy();
      else near.write(data);
    });
    far.on('close', () => near.end());
    near.on('close', () => far.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  network.port = (server.address() as AddressInfo).port;
  return { network, close: () => server.close() };
}

test('an account whose making had no answer is known to be there, and leaves nothing behind', async () => {
  const own = await startOscamServer();
  const { network, close } = await startNetwork(own.port);
  const { id: server_id } = await addOscamServer(panel, { port: network.port });
  const line = await sell('unanswered', server_id);
  const before = await credits();
  const { job_id } = (await act(line.id, 'renew', { subscription_months: 24 })).body;
  network.state = 'losesAnswers';
  await seller.client.patch(`/api/lines/${line.id}`, { username: 'unanswered-new' });
  await eventually(async () => expect(own.account('unanswered-new')).toBeDefined());
  network.state = 'isDown';
  const { body } = await seller.client.post(`/api/jobs/${job_id}/undo`);
  await eventually(async () =>
    expect((await seller.client.get(`/api/lines/${line.id}`)).body.expiry_date).toBe(
      line.expiry_date,
    ),
  );
  await seller.client.patch(`/api/lines/${line.id}`, { username: 'unanswered' });
  // Nothing is refunded, because the line still works on this server.
  expect(await credits()).toBe(before - 15);
  network.state = 'passes';
  await eventually(async () => {
    expect(own.account('unanswered-new')).toBeUndefined();
    expect(own.account('unanswered')).toMatchObject({ expdate: line.expiry_date });
    expect((await readJob(seller.client, body.job.id, 'none')).state).toBe('done');
  });
  expect(await credits()).toBe(before);

  // A sale whose reply was lost may have reached the server.
  network.state = 'losesAnswers';
  const sold = await seller.client.post('/api/lines', newLine('unanswered-2', { server_id }));
  await eventually(async () => expect(own.account('unanswered-2')).toBeDefined());
  network.state = 'isDown';
  const undone = await seller.client.post(`/api/jobs/${sold.body.job_id}/undo`);
  await eventually(async () =>
    expect((await readJob(seller.client, undone.body.job.id, 'none')).pending).toBe(1),
  );
  network.state = 'passes';
  await eventually(async () =>
    expect((await readJob(seller.client, undone.body.job.id, 'none')).state).toBe('done'),
  );
  expect(own.account('unanswered-2')).toBeUndefined();
  close();
  await own.stop();
});

test('a server is not deleted while a line works on it by its former account', async () => {
  const own = await startOscamServer();
  const { id: server_id } = await addOscamServer(panel, own);
  const line = await sell('left-there', server_id);
  await appendFile(file(), 'F: left-there theirs 2\n');
  await panel.admin.patch(`/api/lines/${line.id}`, { server_id: api });
  expect((await panel.admin.delete(`/api/servers/${server_id}`)).body).toMatchObject({
    code: 'SERVER_HAS_DELETIONS',
  });
  await seller.client.delete(`/api/lines/${line.id}`);
  await own.stop();
});

test('a name by which a line works is sold to nobody, and given to no other line', async () => {
  const line = await sell('held', webif);
  await oscam.edit('held-new', { pwd: 'theirs', disabled: '0' });
  await panel.admin.patch(`/api/lines/${line.id}`, { username: 'held-new' });
  const trial = { server_id: webif, is_trial: true, subscription_months: undefined };
  expect((await seller.client.post('/api/lines', newLine('held', trial))).body.code).toBe(
    'USERNAME_EXISTS',
  );
  const asked = { username: 'held', server_id: webif };
  expect((await seller.client.post('/api/lines/check-name', asked)).body.is_free).toBe(false);
  const other = await sell('other', webif);
  const renamed = await seller.client.patch(`/api/lines/${other.id}`, { username: 'held' });
  expect(renamed.body.code).toBe('USERNAME_EXISTS');
  expect(oscam.account('held')).toMatchObject({ expdate: line.expiry_date });
});
