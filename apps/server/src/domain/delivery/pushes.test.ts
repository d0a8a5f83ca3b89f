import { addMonths } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tx, transact } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { countWaiting } from '../../testing/loops.ts';
import {
  startTestAgent,
  startTestPanel,
  stopWaitingForPushes,
  type TestPanel,
} from '../../testing/panel.ts';
import { type SeenCall, startApi, stopServers } from '../machines/card-server/testing/servers.ts';
import { type Claim, claimOne } from './push-claims.ts';
import { pushNow } from './pushes.ts';
import { removeLines, settle } from './settle.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterEach(stopServers);

type Answer = (call: SeenCall) => Promise<number> | number;

/** A healthy card server that replies to changes with the status from `answer`. */
async function addApi(answer: Answer) {
  const api = await startApi(async (call) =>
    call.method === 'GET'
      ? { status: 200, json: { version: '1' } }
      : { status: await answer(call), json: { message: 'as told' } },
  );
  const { id } = await panel.addServer(`http://127.0.0.1:${api.port}`);
  return { id, writes: () => api.calls.filter(({ method }) => method !== 'GET') };
}

async function sell(username: string, server_id: string) {
  const { status, body } = await panel.admin.post('/api/lines', newLine(username, { server_id }));
  expect(status).toBe(201);
  return body.line as { id: string; expiry_date: string; sync_state: string };
}

const stateOf = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body.sync_state;

/** Deletes a line and its wanted state in one transaction, as the panel does. */
function remove(line: { id: string }) {
  return transact(panel.services.db, (tx) => removeLines(tx, [line.id]));
}

function prolong(line: { id: string; expiry_date: string }) {
  const expiry_date = addMonths(line.expiry_date, 1);
  return transact(panel.services.db, async (tx) => {
    await tx.updateTable('users').set({ expiry_date }).where('id', '=', line.id).execute();
    await settle(tx, [line.id]);
  }).then(() => expiry_date);
}

describe('what a card server is to hold', () => {
  test('is the last wanted state: a name deleted and sold again while the server was down', async () => {
    const agent = await startTestAgent();
    const { id } = await panel.addServer(agent.url);
    const first = await sell('again', id);
    await agent.close();
    await remove(first);
    expect((await pushNow(panel.services, id, 'again')).finding).toEqual({
      code: 'PUSH_NOT_REACHED',
      data: { operation: 'delete', reason: 'connection refused' },
    });
    const { body } = await panel.admin.post(
      '/api/lines',
      newLine('again', { server_id: id, password: 'second' }),
    );
    expect(body.sync.ok).toBe(false);

    const back = await startTestAgent(Number(new URL(agent.url).port), agent.dir);
    await expect.poll(() => stateOf(body.line.id)).toBe('synced');
    const { cccam } = await readServerFiles(back);
    expect(cccam).toContain('F: again second\n');
    expect(cccam.match(/F: again /g)).toHaveLength(1);
    await back.close();
  });

  test('is gone after a deletion, and so is its row', async () => {
    const agent = await startTestAgent();
    const { id } = await panel.addServer(agent.url);
    const line = await sell('goes', id);
    await remove(line);
    expect(await pushNow(panel.services, id, 'goes')).toEqual({ ok: true, finding: null });
    expect((await readServerFiles(agent)).cccam).not.toContain('goes');
    const left = await panel.services.db
      .selectFrom('server_accounts')
      .select('username')
      .where('server_id', '=', id)
      .execute();
    expect(left).toEqual([]);
    await agent.close();
  });

  test('follows a change that was made while the one before was under way', async () => {
    let answerFirst = () => {};
    const { id, writes } = await addApi(
      () =>
        new Promise((resolve) => {
          if (writes().length > 1) resolve(200);
          else answerFirst = () => resolve(200);
        }),
    );
    const selling = sell('changed', id);
    await expect.poll(() => writes().length).toBe(1);
    const { body } = await panel.admin.get('/api/lines?q=changed');
    const expiry_date = await prolong(body.items[0]);
    answerFirst();
    const line = await selling;
    await expect.poll(() => stateOf(line.id)).toBe('synced');
    const [year, month, day] = expiry_date.split('-');
    expect(writes().map(({ url }) => url)).toEqual(['/add-user', '/edit-user']);
    expect(writes()[1]?.body).toMatchObject({ newExpiryDate: `${day}-${month}-${year}` });
  });
});

test('a change is due since it was first wanted, whatever was tried or changed after it', async () => {
  let isDown = true;
  const { id } = await addApi(() => (isDown ? 503 : 200));
  const line = await sell('patient', id);
  const since = async () => {
    const { wanted_since } = await panel.services.db
      .selectFrom('server_accounts')
      .select('wanted_since')
      .where('server_id', '=', id)
      .executeTakeFirstOrThrow();
    return wanted_since.getTime();
  };
  const sold = await since();
  expect((await pushNow(panel.services, id, 'patient')).ok).toBe(false);
  await prolong(line);
  expect(await since()).toBe(sold);
  isDown = false;
  await expect.poll(() => stateOf(line.id)).toBe('synced');
  await prolong({ ...line, expiry_date: addMonths(line.expiry_date, 1) });
  expect(await since()).toBeGreaterThan(sold);
});

/** Runs a push while the line is changed, and returns the lease. */
async function leaseDuring(
  account: { server_id: string; username: string },
  change: (tx: Tx) => Promise<unknown>,
): Promise<Claim> {
  const { db } = panel.services;
  const tx = await db.startTransaction().execute();
  await change(tx);
  const claiming = claimOne(db, account);
  await eventually(async () => expect(await countWaiting(db)).toBe(1));
  await tx.commit().execute();
  const claim = await claiming;
  if (!claim) throw new Error('nothing was leased');
  return claim;
}

describe('a lease that waited for a change', () => {
  let account: { server_id: string; username: string };
  let line: { id: string; expiry_date: string };
  beforeEach(async () => {
    const { id } = await addApi(() => 503);
    account = { server_id: id, username: `waited-${id.slice(-8)}` };
    line = await sell(account.username, id);
    // The failed attempt has ended, and the loop waits until the test is over.
    await panel.services.db
      .updateTable('server_accounts')
      .set({ next_try_at: sql`now() + interval '20 seconds'`, claimed_until: null })
      .where('server_id', '=', id)
      .execute();
  });

  const passwordOf = ({ target }: Claim) =>
    panel.services.secrets.open(target?.password ?? '', target?.line_id ?? '');

  test('has the password that was changed', async () => {
    const { secrets } = panel.services;
    const claim = await leaseDuring(account, async (tx) => {
      const password = secrets.seal('changed', line.id);
      await tx.updateTable('users').set({ password }).where('id', '=', line.id).execute();
      await settle(tx, [line.id], { again: true });
    });
    expect(passwordOf(claim)).toBe('changed');
  });

  test('has the line that was sold again under its name', async () => {
    await remove(line);
    const { secrets } = panel.services;
    const id = newId();
    const claim = await leaseDuring(account, async (tx) => {
      await sql`insert into users (id, username, password, host_port, added_date, expiry_date, owner_id, server_id, status)
        select ${id}::uuid, ${account.username}, ${secrets.seal('sold again', id)}, '{}', current_date, '2090-01-01',
          id, ${account.server_id}::uuid, '[]' from auth_users limit 1`.execute(tx);
      await settle(tx, [id]);
    });
    expect(claim.of_line).toBe(id);
    expect(passwordOf(claim)).toBe('sold again');
  });

  test('has the address that its server was given', async () => {
    const claim = await leaseDuring(account, async (tx) => {
      await tx
        .updateTable('cccam_servers')
        .set({ host_ip: 'moved.example' })
        .where('id', '=', account.server_id)
        .execute();
      await settle(tx, [line.id], { again: true });
    });
    expect(claim.server.host_ip).toBe('moved.example');
  });
});

describe('an attempt', () => {
  test('is made once, however many requests ask for it at once', async () => {
    let isDown = true;
    const held = Promise.withResolvers<void>();
    const { id, writes } = await addApi(async () => {
      if (isDown) return 503;
      await held.promise;
      return 200;
    });
    const line = await sell('popular', id);
    isDown = false;
    stopWaitingForPushes(panel);
    const before = writes().length;
    const replies = await Promise.all(
      // The limit of concurrent changes per account; queued ones would be separate attempts.
      Array.from({ length: 8 }, () => panel.admin.post(`/api/lines/${line.id}/sync`)),
    );
    for (const { body } of replies) expect(body.sync.ok).toBe(false);
    held.resolve();
    await eventually(async () => expect(await stateOf(line.id)).toBe('synced'));
    expect(writes()).toHaveLength(before + 1);
  });

  test('is made once, even if two panels share the database', async () => {
    let isDown = true;
    const { id, writes } = await addApi(() => (isDown ? 503 : 200));
    const lines = [];
    // Concurrently, because after several consecutive failures the server would be in error and
    // refuse sales.
    lines.push(...(await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => sell(name, id)))));
    const { DATABASE_URL = '' } = panel.env;
    const second = await startTestPanel('postgres', { DATABASE_URL });
    isDown = false;
    const before = writes().length;
    for (const line of lines) {
      await expect.poll(() => stateOf(line.id)).toBe('synced');
    }
    await second.stop();
    const names = writes()
      .slice(before)
      .map(({ body }) => (body as { username: string }).username);
    expect(new Set(names).size).toBe(4);
    expect(names).toHaveLength(4);
  });
});
