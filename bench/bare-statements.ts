// Hand-written statements for exactly these replies, as an engineer would write them without the
// panel.
import pg from 'pg';
import { recordStatements } from './bare-record-statements.ts';
import { talkStatements } from './bare-talk-statements.ts';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
export type Row = any;
export type Queryable = pg.Pool | pg.PoolClient;

const lineColumns = `users.id, users.username, users.protocol, users.host_port, users.user_value,
  users.added_date, users.expiry_date, users.live_channel, users.info, users.notes, users.status,
  users.name, users.company, users.role, users.avatar_url, users.email, users.owner_id,
  users.server_id, users.is_trial, users.subscription_months, users.created_at, users.updated_at,
  null as password`;
const ownSubtree = 'users.owner_id in (select account_id from account_tree where ancestor_id = $1)';
const newestFirst = 'order by users.added_date desc, users.id desc limit 51';

/** One page with the owners' emails and names, in one statement. */
const page = (condition: string) => `
  select ${lineColumns}, owner.email as owner_email, owner.full_name as owner_name
  from users join auth_users owner on owner.id = users.owner_id
  where ${condition} ${newestFirst}`;

/** Finds the few matching lines first; walking by date would pass most lines. */
const search = (condition: string) => `
  with found as materialized (select id from users where ${condition})
  select ${lineColumns}, owner.email as owner_email, owner.full_name as owner_name
  from found join users on users.id = found.id join auth_users owner on owner.id = users.owner_id
  ${newestFirst}`;

const statements = {
  ...recordStatements,
  ...talkStatements,
  session: `
    select account.id, account.email, account.is_admin, groups.permissions
    from auth_sessions session
      join auth_users account on account.id = session.user_id
      join groups on groups.id = account.group_id
    where session.token = $1 and session.expires_at > now() and not account.banned`,
  me: `
    select account.id, account.email, account.username, account.full_name,
      case when account.is_admin then 1000 else account.credits end as credits,
      account.group_id, account.is_admin, groups.permissions, 'active' as status
    from auth_sessions session
      join auth_users account on account.id = session.user_id
      join groups on groups.id = account.group_id
    where session.token = $1 and session.expires_at > now() and not account.banned`,
  first: page('true'),
  next: page('(users.added_date, users.id) < ($1::date, $2::uuid)'),
  search: search("users.search like '%' || $1 || '%'"),
  subtree: page(ownSubtree),
  takeKey: `
    insert into idempotency_keys (account_id, endpoint, key, body_hash)
    values ($1, 'createLine', $2, $3)`,
  server: `
    select id, host_ip, port, api_port, username, password from cccam_servers
    where status = 'active' order by created_at desc, id desc limit 1 for key share`,
  debit: `
    update auth_users set credits = credits - $2, updated_at = now()
    where id = $1 and credits >= $2 returning credits`,
  insertLine: `
    insert into users (id, username, password, host_port, added_date, expiry_date, status, owner_id,
      server_id, subscription_months)
    values ($1, $2, $3, array[$4], current_date, current_date + interval '1 month',
      '[{"label":"active","color":"success"}]', $5, $6, 1)
    returning ${lineColumns}`,
  insertTransfer: `
    insert into credit_transfers (id, kind, from_id, to_id, amount, actor_id, line_id, username,
      created_at)
    values ($1, 'sale', $2, '00000000-0000-4000-8000-000000000002', $3, $2, $4, $5,
      clock_timestamp())`,
  // Claimed on insert, so that no panel's loop delivers the push too.
  want: `
    insert into server_accounts (server_id, username, wanted, operation, next_try_at, claimed_until)
    values ($1, $2, jsonb_build_object('line_id', $3::uuid, 'expiry_date', $4::date), 'add',
      now() + interval '1 second', clock_timestamp() + interval '15 seconds')`,
  settle: `
    update server_accounts
    set synced_revision = revision, on_server = true, attempts = 0, claimed_until = null,
      updated_at = now()
    where server_id = $1 and username = $2`,
  keepReply: `
    update idempotency_keys set reply = $3
    where account_id = $1 and endpoint = 'createLine' and key = $2`,
};

/** Prepared once per connection, by name. */
export async function ask(
  db: Queryable,
  name: keyof typeof statements,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await db.query({ name, text: statements[name], values });
  return rows;
}
