/** The same for accounts, transfers and the audit log. */

const nameOf = (account: string) => `coalesce(nullif(${account}.full_name, ''), ${account}.email)`;
/** The columns of one side of an account's transfers, in list order by its index. */
const transfersOf = (condition: string) => `(
  select id, kind, from_id, to_id, amount, actor_id, note, line_id, username, refund_of, created_at
  from credit_transfers where ${condition} order by created_at desc, id desc limit 51)`;
const words = 'folded_audit_words(subject_id, data, before, after, address, request_id)';

export const recordStatements = {
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
};
