-- Codes with which a customer makes a line. A code is paid when it is made, by a sale of the line that it will make:
-- `line_id` is that line's id from the beginning, so that payment, refund and undo are those of any line.
create table if not exists activation_codes (
  id uuid primary key,
  seller_id uuid not null references auth_users (id),
  plan_id uuid references plans (id) on delete set null,
  months integer not null check (months > 0),
  line_id uuid not null unique,
  -- Sealed with the key of the panel, because its seller prints it again. It is found by its hash.
  code text not null,
  code_hash text collate "C" not null unique,
  note text,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  refunded_at timestamptz,
  constraint activation_codes_once check (used_at is null or refunded_at is null)
);
create index if not exists activation_codes_seller on activation_codes (seller_id, created_at, id);
create index if not exists activation_codes_unused on activation_codes (seller_id)
  where used_at is null and refunded_at is null;
create index if not exists activation_codes_unused_of_plan on activation_codes (plan_id)
  where used_at is null and refunded_at is null;

-- Refuses lines and accounts beyond the limits of these accounts. An unused code counts as a line, so that the place of
-- its line is kept.
create or replace function refuse_beyond_limits(concerned uuid[]) returns void language plpgsql as $$
declare
  reached text;
begin
  perform from account_limits where account_id = any (concerned) order by account_id for no key update;
  select case when below.lines > held.lines then 'limit_of_lines' else 'limit_of_accounts' end into reached
    from account_limits held
      join account_figures own using (account_id)
      cross join lateral (
        select sum(line_count + (select count(*) from activation_codes
              where seller_id = account_id and used_at is null and refunded_at is null)) as lines
          from account_tree join account_figures using (account_id)
          where ancestor_id = held.account_id) as below
    where held.account_id = any (concerned)
      and (below.lines > held.lines or own.subtree_count > held.accounts)
    limit 1;
  if found then
    raise exception 'An account has reached a limit' using errcode = 'check_violation', constraint = reached;
  end if;
end $$;

-- As before, with the codes counted.
create or replace function hold_limits() returns trigger language plpgsql as $$
declare
  concerned uuid[];
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
  perform refuse_beyond_limits(concerned);
  return null;
end $$;

create or replace function hold_limits_of_codes() returns trigger language plpgsql as $$
declare
  concerned uuid[];
begin
  if not exists (select from account_limits) then return null; end if;
  -- As by a sale, so that an account that is moved below a limit waits for its codes.
  perform from account_figures where account_id in (select seller_id from new_rows)
    order by account_id for no key update;
  select array_agg(distinct held.account_id) into concerned
    from new_rows now
      join account_tree way on way.account_id = now.seller_id
      join account_limits held on held.account_id = way.ancestor_id
      join auth_users on auth_users.id = held.account_id
    where not is_admin and lines is not null;
  if concerned is not null then perform refuse_beyond_limits(concerned); end if;
  return null;
end $$;
create or replace trigger hold_limits_of_codes after insert on activation_codes
  referencing new table as new_rows for each statement execute function hold_limits_of_codes();

create or replace trigger announce_insert after insert on activation_codes
  referencing new table as new_rows for each statement execute function announce_rows('seller_id');
create or replace trigger announce_update after update on activation_codes
  referencing new table as new_rows for each statement execute function announce_rows('seller_id');
