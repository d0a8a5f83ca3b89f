-- Limits of an account and all accounts below it; null is no limit. The tightest of an account and those above it counts.
create table if not exists account_limits (
  account_id uuid primary key references auth_users (id) on delete cascade,
  lines integer check (lines >= 0),
  accounts integer check (accounts >= 0),
  -- Trials made in a month of the calendar.
  trials integer check (trials >= 0),
  max_months integer check (max_months > 0),
  may_delete boolean not null default true,
  -- The last day on which the account sells.
  ends_on date
);

-- The day of the panel on which a trial was made, by which months begin; null for a trial that a panel of 1.8 stored.
alter table trials_made add column if not exists made_on date;

-- Refuses one line or account too many, however it comes about: by a sale, an import, an adoption or a move. The limits
-- are locked before anything is counted, so that of two sales for one place the second counts the first.
create or replace function hold_limits() returns trigger language plpgsql as $$
declare
  concerned uuid[];
  reached text;
begin
  if not exists (select from account_limits) then return null; end if;
  select array_agg(distinct held.account_id) into concerned
    from new_rows now join old_rows before using (account_id)
      join account_tree way using (account_id)
      join account_limits held on held.account_id = way.ancestor_id
      join auth_users on auth_users.id = held.account_id
    where not is_admin and (lines is not null or accounts is not null)
      and (now.line_count > before.line_count or now.subtree_count > before.subtree_count);
  if concerned is null then return null; end if;
  -- Accounts that come here bring their lines. A sale that one of them has begun is waited for, and one that begins now waits
  -- until its account is here.
  if exists (select from new_rows now join old_rows before using (account_id)
      where now.subtree_count > before.subtree_count) then
    perform from account_figures where account_id in (
        select account_id from account_tree where ancestor_id = any (concerned))
      order by account_id for share;
  end if;
  perform from account_limits where account_id = any (concerned) order by account_id for no key update;
  select case when below.lines > held.lines then 'limit_of_lines' else 'limit_of_accounts' end into reached
    from account_limits held
      join account_figures own using (account_id)
      cross join lateral (
        select sum(line_count) as lines from account_tree join account_figures using (account_id)
          where ancestor_id = held.account_id) as below
    where held.account_id = any (concerned)
      and (below.lines > held.lines or own.subtree_count > held.accounts)
    limit 1;
  if found then
    raise exception 'An account has reached a limit' using errcode = 'check_violation', constraint = reached;
  end if;
  return null;
end $$;
create or replace trigger hold_limits after update on account_figures
  referencing old table as old_rows new table as new_rows
  for each statement execute function hold_limits();
