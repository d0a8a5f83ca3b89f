import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { storedSuspension } from '../lines.ts';
import { holdPushes } from '../loops.ts';
import { writeSeed } from './write.ts';

/** Numbers of accounts and lines for a speed test. A few statements write them. */
export interface SeedSize {
  accounts: number;
  lines: number;
}

const BIG = 100_000;

/** The kind of a row: a is an account, b a line and c a server. */
type Kind = 'a' | 'b' | 'c';

/** The id of a row by its number from 1. Ids increase like those of real rows. */
const seededId = (kind: Kind, number: number) =>
  `0190000${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
export const seededAccount = (number: number) => seededId('a', number);
const seededLine = (number: number) => seededId('b', number);

/**
 * Account 1 is an administrator. The next hundredth are resellers below it, the next tenth are
 * below those, and the others are leaves below either. Low numbers have more accounts below: the
 * first reseller about a fourteenth of all. Servers 1 to 9 are inactive.
 */
export async function seed(db: Db, { accounts, lines }: SeedSize): Promise<void> {
  await writeSeed(db, async (tx) => {
    await sql`set local maintenance_work_mem = '512MB'`.execute(tx);
    await seedAccounts(tx, accounts);
    await seedServers(tx);
    const indexes = lines >= BIG ? await dropIndexes(tx) : [];
    await seedLines(tx, accounts, lines);
    for (const definition of indexes) await sql.raw(definition).execute(tx);
    await seedFigures(tx);
  });
}

/** Pseudo-random, but the same for a number in every run and independent for different purposes. */
const scattered = (purpose: number, below: number) =>
  sql.raw(`(hashint8extended(n, ${purpose}) & 9223372036854775807) % ${below}`);
const idOf = (kind: Kind, number: RawBuilder<unknown>) =>
  sql`(${sql.lit(`0190000${kind}-0000-7000-8000-`)} || lpad(to_hex(${number}), 12, '0'))::uuid`;

async function seedAccounts(db: Db, accounts: number): Promise<void> {
  const resellers = Math.ceil(accounts / 100);
  const middle = Math.ceil(accounts / 10);
  const someReseller = sql`2 + floor(${sql.lit(resellers)} * power(${scattered(1, 10_000)} / 1e4, 2))::bigint`;
  await sql`
    insert into auth_users (id, email, email_verified, full_name, username, credits, group_id, owner_id)
    select ${idOf('a', sql`n`)}, 'account-' || n || '@panel.example', true, 'Account ' || n,
      'account-' || n, 1000000, case when n = 1 then '1' else '2' end,
      case
        when n = 1 then null
        when n <= 1 + ${sql.lit(resellers)} then ${idOf('a', sql`1`)}
        when n <= 1 + ${sql.lit(resellers + middle)} or ${scattered(2, 5)} = 0
          then ${idOf('a', someReseller)}
        else ${idOf('a', sql`${sql.lit(2 + resellers)} + ${scattered(3, middle)}`)}
      end
    from generate_series(1::bigint, ${accounts}::bigint) as n`.execute(db);
  await sql`
    insert into account_tree (ancestor_id, account_id, depth)
    with recursive tree (ancestor_id, account_id, depth) as (
      select id, id, 0 from auth_users where id >= ${seededAccount(1)}
      union all
      select account.owner_id, tree.account_id, tree.depth + 1
        from tree join auth_users account on account.id = tree.ancestor_id
        where account.owner_id is not null)
    select * from tree on conflict do nothing`.execute(db);
}

/** Writes the counts that the triggers would have written. */
async function seedFigures(db: Db): Promise<void> {
  await sql`
    insert into account_figures (account_id, line_count, subtree_count)
    select id, (select count(*) from users where owner_id = auth_users.id),
      (select count(*) from account_tree where ancestor_id = auth_users.id and depth > 0)
    from auth_users on conflict do nothing`.execute(db);
}

async function seedServers(db: Db): Promise<void> {
  await sql`
    with machine as (insert into machines (id) values (gen_random_uuid()) returning id)
    insert into cccam_servers
      (id, server_name, host_ip, port, public_host, api_port, api_scheme, username, password, protocol, machine_id)
    select ${idOf('c', sql`n`)}, 'Server ' || n,
      '127.0.0.1', 12000, 'fra1.lines.example', 3000, 'http', 'panel', 'never opened', 'CCcam', machine.id
    from machine, generate_series(1, 9) as n`.execute(db);
}

/** Building indexes afterwards takes a tenth of the time of updating them. */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename in ('users', 'server_accounts') and indexdef not like '%UNIQUE%'`.execute(db);
  for (const { indexname } of rows) await sql`drop index ${sql.id(indexname)}`.execute(db);
  return rows.map(({ indexdef }) => indexdef);
}

/** One in three lines has a word in its name that occurs in about 20 lines, regardless of the number of lines. */
async function seedLines(db: Db, accounts: number, lines: number): Promise<void> {
  const words = Math.max(1, Math.round(lines / 60));
  await sql`
    insert into users (id, username, password, host_port, added_date, expiry_date, status, suspension,
      name, owner_id, server_id, is_trial, subscription_months)
    select ${idOf('b', sql`n`)}, 'box' || substr(md5('name' || n), 1, 6) || n, 'never opened',
      array['fra1.lines.example:12000'], current_date - (${scattered(4, 1000)})::integer,
      current_date + (${scattered(5, 700)})::integer - 200,
      case ${scattered(6, 50)}
        when 1 then '[{"label":"inactive","color":"warning"}]'
        when 2 then '[{"label":"suspended","color":"error"}]'
        else '[{"label":"active","color":"success"}]'
      end::jsonb,
      case when ${scattered(6, 50)} = 2 then ${storedSuspension}::jsonb end,
      case when n % 3 = 0 then 'Client ' || substr(md5('word' || ${scattered(7, words)}), 1, 8) end,
      ${idOf('a', sql`2 + ${scattered(8, accounts - 1)}`)}, ${idOf('c', sql`1 + ${scattered(9, 9)}`)},
      ${scattered(10, 200)} = 0, 1 + n % 12
    from generate_series(1::bigint, ${lines}::bigint) as n`.execute(db);
  await sql`
    insert into server_accounts (server_id, username, of_line, wanted, operation, on_server, revision,
      synced_revision, attempts, next_try_at, last_finding)
    select server_id, username, id,
      json_build_object('line_id', id, 'expiry_date', expiry_date)::jsonb, 'add', true,
      1 + waits::integer, 1, case when waits then 3 else 0 end, now(),
      case when waits then
        '{"code":"PUSH_REFUSED","data":{"operation":"add","words":"The server does not answer"}}'
      end::jsonb
    from (select *, md5('name' || username) < '004' as waits from users
      where id >= ${seededLine(1)} and suspension is null) as line`.execute(db);
  // Waiting pushes stay unchanged, regardless of how long a panel runs.
  await holdPushes(db);
}
