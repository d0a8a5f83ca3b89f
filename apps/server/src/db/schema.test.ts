import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../testing/database/open-database.ts';
import { eventually } from '../testing/eventually.ts';
import { databases } from '../testing/panel.ts';
import { makeMigratedDatabase } from '../testing/process/process.ts';
import type { Connection } from './connect.ts';
import type { Db } from './transaction.ts';

const ISSUANCE = '00000000-0000-4000-8000-000000000001';
const SALES = '00000000-0000-4000-8000-000000000002';
const PAYLOAD_LIMIT_BYTES = 8000;

async function addAccounts(db: Db, count: number, owner_id: string | null = null) {
  const rows = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, email: `${id}@x.example`, username: id, group_id: '2', owner_id };
  });
  await db
    .insertInto('auth_users')
    .values(rows.map((row) => ({ ...row, avatar_url: null, notes: null })))
    .execute();
  return rows.map(({ id }) => id);
}

async function addAccount(db: Db, owner_id: string | null = null): Promise<string> {
  return (await addAccounts(db, 1, owner_id))[0] ?? '';
}

async function addServer(db: Db): Promise<string> {
  const id = randomUUID();
  await sql`insert into cccam_servers (id, server_name, host_ip, port, api_port, api_scheme, username,
      password, protocol)
    values (${id}, 'S', '127.0.0.1', 1, 1, 'http', 'u', 'p', 'CCcam')`.execute(db);
  return id;
}

/** `owners[i]` owns line i. */
async function addLines(db: Db, serverId: string, owners: readonly string[], notes = '') {
  const { rows } = await sql<{ id: string }>`
    insert into users (id, username, password, added_date, expiry_date, status, owner_id, server_id,
        notes)
      select gen_random_uuid(), gen_random_uuid(), 'x', '2026-01-01', '2099-01-01',
        '[{"label": "Active", "color": "success"}]', owner, ${serverId}, ${notes}
      from unnest(cast(${owners} as uuid[])) as owner
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

function transfer(db: Db, from_id: string, to_id: string, amount = 5) {
  return sql`insert into credit_transfers (id, kind, from_id, to_id, amount)
    values (gen_random_uuid(), 'mint', ${from_id}, ${to_id}, ${amount})`.execute(db);
}

describe.each(databases)('the schema on %s', (kind) => {
  let connection: Connection;
  let db: Db;
  let server: string;
  const heard: { table: string; op: string; ids: string[] | null; owners: string[] | null }[] = [];
  const revoked: object[] = [];
  const sizes: number[] = [];
  beforeAll(async () => {
    connection = await openDatabase((await makeMigratedDatabase(kind)).env);
    db = connection.db;
    await connection.listen('linekeeper', (payload) => {
      sizes.push(Buffer.byteLength(payload));
      heard.push(JSON.parse(payload));
    });
    await connection.listen('linekeeper_revoked', (payload) => revoked.push(JSON.parse(payload)));
    server = await addServer(db);
  });

  /**
   * Runs `work` and returns its announcements in order. The function waits for a marker that is announced after `work`.
   */
  async function announcedBy(work: () => Promise<unknown>): Promise<typeof heard> {
    const isMark = (id: string) => (one: (typeof heard)[number]) => one.ids?.[0] === id;
    const mark = async () => {
      const id = await addAccount(db);
      await eventually(() => expect(heard.some(isMark(id))).toBe(true));
      return id;
    };
    await mark();
    heard.length = 0;
    await work();
    const last = await mark();
    return heard.filter((one) => !isMark(last)(one));
  }

  test('folds accents and case, and finds any part of a line by the trigram index', async () => {
    const owner = await addAccount(db);
    const [id] = await addLines(db, server, [owner], 'Zażółć GĘŚLĄ Jaźń, Müller');
    const { rows } = await sql<{ folded: string }>`select fold('ŻÓŁĆ Ärger') as folded`.execute(db);
    expect(rows).toEqual([{ folded: 'zolc arger' }]);
    const found = await db
      .selectFrom('users')
      .select(['id', 'status_label'])
      .where(sql<boolean>`search like fold(${'%gęślą JAŹŃ, muller%'})`)
      .execute();
    expect(found).toEqual([{ id, status_label: 'active' }]);
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const query = sql`explain select id from users where search like '%gesla%'`;
      return JSON.stringify((await query.execute(tx)).rows);
    });
    expect(plan).toContain('users_search');
  });

  test('keeps transfers as they were written', async () => {
    const account = await addAccount(db);
    await transfer(db, ISSUANCE, account);
    for (const statement of [
      'update credit_transfers set amount = 1',
      'update credit_transfers set amount = 1 where false',
      'delete from credit_transfers',
      'truncate credit_transfers cascade',
      'truncate auth_users cascade',
    ]) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
    }
  });

  test('takes transfers between two known accounts only, of more than nothing', async () => {
    const account = await addAccount(db);
    await expect(transfer(db, ISSUANCE, randomUUID())).rejects.toThrow('two known accounts');
    await expect(transfer(db, randomUUID(), SALES)).rejects.toThrow('two known accounts');
    await expect(transfer(db, account, account)).rejects.toThrow('credit_transfers_two_accounts');
    await expect(transfer(db, account, SALES, 0)).rejects.toThrow('amount');
    await expect(transfer(db, account, SALES, -5)).rejects.toThrow('amount');
  });

  test('lets no account begin with credits or fall below none, and derives who is an admin', {
    tags: ['spec:4.17', 'spec:6.1'],
  }, async () => {
    const id = randomUUID();
    await expect(
      sql`insert into auth_users (id, email, username, group_id, credits)
        values (${id}, 'rich@x.example', 'rich', '3', 1)`.execute(db),
    ).rejects.toThrow('begins with 0 credits');
    const account = await addAccount(db);
    const change = (text: string) =>
      sql`update auth_users set ${sql.raw(text)} where id = ${account}`.execute(db);
    await expect(change('credits = credits - 1')).rejects.toThrow('auth_users_credits_floor');
    await expect(change('is_admin = true')).rejects.toThrow('is_admin');
    await expect(change("group_id = 'nobody'")).rejects.toThrow('foreign key');
    await change("group_id = '1'");
    const row = await db.selectFrom('auth_users').select('is_admin').where('id', '=', account);
    expect(await row.execute()).toEqual([{ is_admin: true }]);
    await change("group_id = '2'");
  });

  test('keeps the account tree through moves and refuses circles', async () => {
    const top = await addAccount(db);
    const middle = await addAccount(db, top);
    const leaf = await addAccount(db, middle);
    const other = await addAccount(db);
    const move = (id: string, to: string | null) =>
      db.updateTable('auth_users').set({ owner_id: to }).where('id', '=', id).execute();
    const above = async (id: string) =>
      (
        await db
          .selectFrom('account_tree')
          .select(['ancestor_id', 'depth'])
          .where('account_id', '=', id)
          .orderBy('depth')
          .execute()
      ).map(({ ancestor_id }) => ancestor_id);
    expect(await above(leaf)).toEqual([leaf, middle, top]);
    await expect(move(top, leaf)).rejects.toThrow('below itself');
    await expect(move(top, top)).rejects.toThrow('below itself');
    await move(middle, other);
    expect(await above(leaf)).toEqual([leaf, middle, other]);
    expect(await above(middle)).toEqual([middle, other]);
    await move(middle, null);
    expect(await above(leaf)).toEqual([leaf, middle]);
    expect(await above(top)).toEqual([top]);
  });

  test('announces one message a statement, with the ids and the owners before and after', async () => {
    const [anna, bert] = await addAccounts(db, 2);
    const [id = ''] = await addLines(db, server, [anna ?? '']);
    const messages = await announcedBy(async () => {
      await db
        .updateTable('users')
        .set({ owner_id: bert ?? '' })
        .where('id', '=', id)
        .execute();
      await db.updateTable('users').set({ notes: 'none' }).where('id', '=', randomUUID()).execute();
      await db.deleteFrom('users').where('id', '=', id).execute();
      await db
        .updateTable('cccam_servers')
        .set({ status: 'error' })
        .where('id', '=', server)
        .execute();
    });
    expect(messages).toEqual([
      { table: 'users', op: 'UPDATE', ids: [id], owners: [anna, bert].sort() },
      { table: 'users', op: 'DELETE', ids: [id], owners: [bert] },
      { table: 'cccam_servers', op: 'UPDATE', ids: [server], owners: [] },
    ]);
  });

  test('announces a line whose delivery state changed, and nothing for a lease', async () => {
    const owner = await addAccount(db);
    const [id = ''] = await addLines(db, server, [owner]);
    const set = (text: string) =>
      sql`update server_accounts set ${sql.raw(text)} where server_id = ${server}`.execute(db);
    const messages = await announcedBy(async () => {
      await sql`insert into server_accounts (server_id, username, operation)
        select server_id, username, 'add' from users where id = ${id}`.execute(db);
      await set('claimed_until = now()');
      await set(`last_finding = '{"code": "PUSH_REFUSED"}'`);
      await set('synced_revision = revision');
    });
    const changed = { table: 'users', op: 'UPDATE', ids: [id], owners: [owner] };
    expect(messages).toEqual([changed, changed]);
  });

  test('names no ids above 20 and no owners above 150, and always fits into a message', async () => {
    const owners = await addAccounts(db, 151);
    const one = owners.slice(0, 1);
    const repeat = (count: number) => Array.from({ length: count }, () => one[0] ?? '');
    sizes.length = 0;
    const messages = await announcedBy(async () => {
      await addLines(db, server, repeat(20));
      await addLines(db, server, repeat(21));
      await addLines(db, server, owners.slice(0, 150));
      await addLines(db, server, owners);
      await db
        .updateTable('users')
        .set({ notes: 'moved' })
        .where('owner_id', 'in', owners)
        .execute();
    });
    expect(messages.map(({ ids, owners: named }) => [ids?.length, named?.length])).toEqual([
      [20, 1],
      [undefined, 1],
      [undefined, 150],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(Math.max(...sizes)).toBeLessThan(PAYLOAD_LIMIT_BYTES);
  });

  test('announces who lost a session, a role or permissions', async () => {
    const account = await addAccount(db);
    const session = randomUUID();
    await sql`insert into groups (id, name) values ('revoked', 'Revoked')`.execute(db);
    await sql`insert into auth_sessions (id, user_id, token, expires_at)
      values (${session}, ${account}, ${session}, now())`.execute(db);
    revoked.length = 0;
    const edit = db.updateTable('auth_users').where('id', '=', account);
    await edit.set({ full_name: 'Anna' }).execute();
    await edit.set({ banned: true }).execute();
    await edit.set({ group_id: '3' }).execute();
    const group = db.updateTable('groups').where('id', '=', 'revoked');
    await group.set({ description: 'same rights' }).execute();
    await group.set({ permissions: ['view_users'] }).execute();
    await db.deleteFrom('auth_sessions').where('id', '=', session).execute();
    await eventually(() => expect(revoked).toContainEqual({ session_id: session }));
    expect(revoked).toEqual([
      { account_id: account },
      { account_id: account },
      { group_id: 'revoked' },
      { session_id: session },
    ]);
  });
});
