// Hand-written statements for exactly these replies, as an engineer would write them without the
// panel.
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
export type Row = any;
type Queryable = pg.Pool | pg.PoolClient;

const lineColumns = `users.id, users.username, users.protocol, users.host_port, users.user_value,
  users.added_date, users.expiry_date, users.live_channel, users.info, users.notes, users.status,
  users.name, users.phone, users.language, users.price_minor, users.currency, users.company, users.role,
  users.avatar_url, users.email, users.owner_id, users.server_id, users.plan_id, users.is_trial,
  users.subscription_months, users.auto_renew_months, users.created_at, users.updated_at,
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

/** The columns of one side of an account's transfers, in list order by its index. */
const transfersOf = (condition: string) => `(
  select id, kind, from_id, to_id, amount, actor_id, note, line_id, username, refund_of, created_at
  from credit_transfers where ${condition} order by created_at desc, id desc limit 51)`;
const words = 'folded_audit_words(subject_id, data, before, after, address, request_id)';

const nameOf = (account: string, otherwise = 'email') =>
  `coalesce(nullif(${account}.full_name, ''), ${account}.${otherwise})`;

const tickets = (condition: string, newest: string, otherwise: string) => `
  select ticket.id, ticket.number, ticket.title, ticket.description, ticket.status, ticket.priority,
    ticket.category, ticket.user_id, owner.is_admin as user_is_admin, ticket.assigned_to,
    ticket.created_at, ticket.updated_at, ticket.replies, ${nameOf('owner', otherwise)} as user_name,
    ${nameOf('writer', otherwise)} as last_writer_name,
    ${nameOf('assignee', otherwise)} as assigned_to_name,
    ticket.last_writer_id = ticket.user_id as last_writer_is_owner,
    exists (select from ticket_reads where ticket_id = ticket.id and account_id = $1
      and read_to >= ticket.${newest}) as is_read,
    ticket.updated_at::text as sort_value
  from tickets ticket join auth_users owner on owner.id = ticket.user_id
    join auth_users writer on writer.id = ticket.last_writer_id
    left join auth_users assignee on assignee.id = ticket.assigned_to
  where ${condition} order by ticket.updated_at desc, ticket.id desc limit 51`;

const isShown = `state = 'published' and (expires_at is null or expires_at > now())`;
const isUnread = `created_by <> $1
  and publish_at > coalesce((select read_until from message_marks where account_id = $1), '-infinity')
  and not exists (select from message_reads where message_id = message.id and account_id = $1)`;
const ownMessages = (columns: string, limit: string, condition = 'true') =>
  ['is_global', 'recipient_id = $1']
    .map(
      (to) => `(select ${columns} from messages message where ${isShown} and ${to} and ${condition}
        order by publish_at desc, id desc ${limit})`,
    )
    .join(' union all ');
const messageColumns = `message.id, message.title, message.content, message.is_global,
  message.recipient_id, message.created_by, message.publish_at, message.expires_at, message.created_at,
  message.state, not (${isUnread}) as is_read`;
const unreadMessages = `(select count(*) from (${ownMessages('1', 'limit 100', isUnread)}) as unread)`;

const statements = {
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
    insert into server_accounts (server_id, username, of_line, wanted, operation, next_try_at, claimed_until)
    values ($1, $2, $3::uuid, jsonb_build_object('line_id', $3::uuid, 'expiry_date', $4::date), 'add',
      now() + interval '1 second', clock_timestamp() + interval '15 seconds')`,
  settle: `
    update server_accounts
    set synced_revision = revision, on_server = true, attempts = 0, claimed_until = null
    where server_id = $1 and username = $2`,
  keepReply: `
    update idempotency_keys set reply = $3
    where account_id = $1 and endpoint = 'createLine' and key = $2`,

  accounts: `
    select account.id, account.email, account.username, account.full_name, account.notes,
      case when account.is_admin then 1000 else account.credits end as credits, account.group_id,
      account.is_admin, account.owner_id, account.banned,
      case when account.banned then 'suspended' else 'active' end as status, account.created_at,
      account.last_sign_in_at, figures.line_count, figures.subtree_count,
      account.created_at::text as sort_value
    from auth_users account join account_figures figures on figures.account_id = account.id
    order by account.created_at desc, account.id desc limit 51`,
  /** The balance after each: that of now, without all that came later. */
  transfers: `
    with page as (
      select * from (
        ${transfersOf('from_id = $1')} union all ${transfersOf('to_id = $1 and from_id <> $1')}
      ) as both_sides order by created_at desc, id desc limit 51)
    select page.*, page.created_at::text as sort_value, $1::uuid as balance_of,
      account.credits - coalesce(sum(case when page.to_id = $1 then page.amount else -page.amount end)
        over (order by page.created_at desc, page.id desc
          rows between unbounded preceding and 1 preceding), 0)::bigint as balance_after,
      ${nameOf('sender')} as from_name, ${nameOf('receiver')} as to_name, ${nameOf('actor')} as actor_name,
      line.id is not null as line_exists,
      term.months, term.expiry_date, redeemed.code, refund.created_at as refunded_at,
      case when refunded.id is not null then json_build_object('kind', refunded.kind, 'created_at',
        to_char(refunded.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as refunds,
      page.kind in ('sale', 'renewal') and refund.id is null as is_refundable
    from page join auth_users account on account.id = $1
      left join auth_users sender on sender.id = page.from_id
      left join auth_users receiver on receiver.id = page.to_id
      left join auth_users actor on actor.id = page.actor_id
      left join users line on line.id = page.line_id
      left join sold_terms term on term.transfer_id = coalesce(page.refund_of, page.id)
      left join redeem_code_history redeemed
        on page.kind = 'redeem' and redeemed.transfer_id = page.id
      left join credit_transfers refunded on refunded.id = page.refund_of
      left join credit_transfers refund
        on page.kind in ('sale', 'renewal') and refund.refund_of = page.id
    order by page.created_at desc, page.id desc`,
  /** By the names of accounts, lines and servers, and by what the entries say themselves. */
  audit: `
    with named as materialized (
      (select id from auth_users
        where search like lower($1) limit 200)
      union all (select id from users where search like lower($1) and username ilike $1 limit 200)
      union all (select id from cccam_servers where server_name ilike $1 limit 200)
    ), found as (
      select id from audit_log where ${words} like fold($1)
      union select id from audit_log where actor_id in (select id from named)
      union select id from audit_log
        where subject_type in ('line', 'account', 'server') and subject_id in (select id::text from named))
    select entry.id, entry.created_at, entry.actor_id, ${nameOf('actor')} as actor_name, entry.action,
      entry.subject_type, entry.subject_id,
      coalesce(line.username, ${nameOf('subject')}, server.server_name) as subject_name,
      coalesce(line.id, subject.id, server.id) is not null as subject_exists,
      entry.before, entry.after, entry.data, entry.address, entry.request_id,
      entry.created_at::text as sort_value
    from found join audit_log entry using (id)
      left join auth_users actor on actor.id = entry.actor_id
      left join users line on entry.subject_type = 'line' and line.id = entry.subject_id::uuid
      left join auth_users subject
        on entry.subject_type = 'account' and subject.id = entry.subject_id::uuid
      left join cccam_servers server
        on entry.subject_type = 'server' and server.id = entry.subject_id::uuid
    order by entry.created_at desc, entry.id desc limit 51`,

  ticketsOfAll: tickets('true', 'last_position', 'email'),
  ticketsOfOne: tickets('ticket.user_id = $1', 'last_shown', 'username'),
  ticketCounts: `
    select count(*) as all, count(*) filter (where status <> 'closed') as active,
      count(*) filter (where status = 'closed') as closed,
      count(*) filter (where coalesce(reading.read_to, -1) < last_shown) as unread,
      count(*) filter (where status <> 'closed' and assigned_to = $1) as assigned_to_me,
      count(*) filter (where status <> 'closed' and assigned_to is null) as unassigned
    from tickets left join ticket_reads reading on reading.ticket_id = tickets.id
      and reading.account_id = $1
    where user_id = $1`,
  messages: `
    select page.*, nullif(author.full_name, '') as author_name, null as recipient_name,
      page.publish_at::text as sort_value
    from (${ownMessages(messageColumns, 'limit 51')}) as page
      join auth_users author on author.id = page.created_by
    order by page.publish_at desc, page.id desc limit 51`,
  unreadMessages: `select least(100, ${unreadMessages}) as count`,
  bell: `
    select bell.*, created_at::text as sort_value from (
      (select id, kind, title, content, link, is_read, created_at from notifications
        where account_id = $1 order by created_at desc, id desc limit 51)
      union all ${ownMessages(
        `id, 'message', title, left(content, 200), '/messages?message=' || id, not (${isUnread}),
          publish_at`,
        'limit 51',
      )}) as bell
    order by created_at desc, id desc limit 51`,
  unreadBell: `select least(100, ${unreadMessages} + (select count(*) from (
    select from notifications where account_id = $1 and not is_read limit 100) as unread)) as count`,
};

export type Statement = keyof typeof statements;

/** Prepared once per connection, by name. */
export async function ask(db: Queryable, name: Statement, values: unknown[]): Promise<Row[]> {
  const { rows } = await db.query({ name, text: statements[name], values });
  return rows;
}
