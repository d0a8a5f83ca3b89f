import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectPostgres } from '../../../db/connect.ts';
import type { Scope } from '../../../domain/context/access.ts';
import { makeMigratedDatabase } from '../../../testing/process/process.ts';
import { seed, seededAccount } from '../../../testing/seed/lines.ts';
import { totalOfLines } from './store.ts';

const LINES = 300;
const all: Scope = { account_id: seededAccount(1), sees_all: true };
const below = (account: number): Scope => ({
  account_id: seededAccount(account),
  sees_all: false,
});

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
/** The connections of two panels to one database. */
let here: Connection;
let there: Connection;
beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  const url = database.env.DATABASE_URL ?? '';
  here = await connectPostgres(url);
  there = await connectPostgres(url);
  await seed(here.db, { accounts: 40, lines: LINES });
});
afterAll(async () => {
  await here?.close();
  await there?.close();
  await database?.remove();
});

const sell = (db: Connection['db'], username: string) =>
  sql`insert into users (id, username, password, added_date, expiry_date, status, owner_id, server_id)
    select gen_random_uuid(), ${username}, 'never opened', current_date, current_date + 30,
      '[{"label":"active","color":"success"}]', ${seededAccount(2)}, id
    from cccam_servers limit 1`.execute(db);
const remove = (db: Connection['db'], username: string) =>
  db.deleteFrom('users').where('username', '=', username).execute();
const exactly = (total: number) => ({ total, total_is_exact: true });

test('a total that is remembered is right after every change that another panel makes', async () => {
  const own = await totalOfLines(here.db, below(2));
  for (let time = 1; time <= 3; time++) {
    expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES));
    await sell(there.db, 'another');
    expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES + 1));
    expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES + 1));
    expect(await totalOfLines(here.db, below(2))).toEqual(exactly(own.total + 1));
    await remove(there.db, 'another');
  }
  expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES));
  expect(await totalOfLines(here.db, below(2))).toEqual(own);
});

test('what is sold while it is counted, and committed later, is counted then', async () => {
  const committed = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  const selling = there.db.transaction().execute(async (tx) => {
    await sell(tx, 'under way');
    inserted.resolve();
    await committed.promise;
  });
  await inserted.promise;
  for (let time = 1; time <= 3; time++) {
    expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES));
  }
  committed.resolve();
  await selling;
  expect(await totalOfLines(here.db, all)).toEqual(exactly(LINES + 1));
  await remove(there.db, 'under way');
});

test('an account that no longer stands below another takes its lines with it', async () => {
  const { rows } = await sql<{ id: string; lines: number }>`
    select account.id, count(*) as lines from auth_users account
      join users on users.owner_id = account.id
      where account.owner_id = ${seededAccount(2)}
        and not exists (select from auth_users lower where lower.owner_id = account.id)
      group by account.id order by account.id limit 1`.execute(here.db);
  const [{ id, lines } = { id: '', lines: 0 }] = rows;
  expect(lines).toBeGreaterThan(0);
  const before = await totalOfLines(here.db, below(2));
  await sql`update auth_users set owner_id = ${seededAccount(1)} where id = ${id}`.execute(
    there.db,
  );
  expect(await totalOfLines(here.db, below(2))).toEqual(exactly(before.total - lines));
});
