-- Figures of an account ------------------------------------------------------------------------

-- How many lines an account has itself, and how many accounts stand below it. Kept by triggers, as a
-- list sorted by them cannot count a million lines; beside the account, as a balance that changes with
-- every sale must not be written to the indexes of these.
create table account_figures (
  account_id uuid primary key references auth_users (id) on delete cascade,
  line_count integer not null default 0,
  subtree_count integer not null default 0
);
create index account_figures_line_count on account_figures (line_count, account_id);

create function make_account_figures() returns trigger language plpgsql as $$
begin
  insert into account_figures (account_id) values (new.id);
  return null;
end $$;
create trigger make_account_figures after insert on auth_users
  for each row execute function make_account_figures();

-- In the order of their ids, so that two statements do not wait for each other.
create function count_lines() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then
    for changed in select owner_id, count(*) as lines from new_rows group by 1 order by 1 loop
      update account_figures set line_count = line_count + changed.lines
        where account_id = changed.owner_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for changed in select owner_id, count(*) as lines from old_rows group by 1 order by 1 loop
      update account_figures set line_count = line_count - changed.lines
        where account_id = changed.owner_id;
    end loop;
  elsif tg_op = 'TRUNCATE' then
    update account_figures set line_count = 0 where line_count <> 0;
  else
    -- Not a join of the two, which without an index compares each line with every other.
    for changed in
      select owner_id, sum(lines) as lines from (
        select owner_id, -1 as lines from old_rows
        union all
        select owner_id, 1 from new_rows
      ) as counted group by 1 having sum(lines) <> 0 order by 1
    loop
      update account_figures set line_count = line_count + changed.lines
        where account_id = changed.owner_id;
    end loop;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on users
  referencing new table as new_rows for each statement execute function count_lines();
create trigger count_deleted after delete on users
  referencing old table as old_rows for each statement execute function count_lines();
create trigger count_moved after update on users
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_lines();
create trigger count_truncated after truncate on users
  for each statement execute function count_lines();

-- Every account is below itself, which does not count.
create function count_subtrees() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then
    for changed in
      select ancestor_id, count(*) as accounts from new_rows where depth > 0 group by 1 order by 1
    loop
      update account_figures set subtree_count = subtree_count + changed.accounts
        where account_id = changed.ancestor_id;
    end loop;
  else
    for changed in
      select ancestor_id, count(*) as accounts from old_rows where depth > 0 group by 1 order by 1
    loop
      update account_figures set subtree_count = subtree_count - changed.accounts
        where account_id = changed.ancestor_id;
    end loop;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on account_tree
  referencing new table as new_rows for each statement execute function count_subtrees();
create trigger count_deleted after delete on account_tree
  referencing old table as old_rows for each statement execute function count_subtrees();

-- The triggers above hold off other changes until this is committed.
insert into account_figures (account_id, line_count, subtree_count)
  select account.id, coalesce(own.lines, 0), coalesce(below.accounts, 0)
  from auth_users account
  left join (select owner_id, count(*) as lines from users group by 1) own on own.owner_id = account.id
  left join (select ancestor_id, count(*) as accounts from account_tree where depth > 0 group by 1) below
    on below.ancestor_id = account.id;

-- Sorted by the last sign-in, who never signed in stands before everybody else.
create index auth_users_last_sign_in
  on auth_users ((coalesce(last_sign_in_at, '-infinity'::timestamptz)), id);
create index auth_users_search
  on auth_users using gin (email gin_trgm_ops, username gin_trgm_ops, full_name gin_trgm_ops);

-- Links that set a new password ------------------------------------------------------------------

-- One for each account: a newer one takes the place of the one before. made_by is null where the
-- account asked for it itself.
create table password_reset_links (
  account_id uuid primary key references auth_users (id) on delete cascade,
  token_hash text not null unique,
  made_by uuid references auth_users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index password_reset_links_made_by on password_reset_links (made_by);

-- Live changes -----------------------------------------------------------------------------------

-- An account that moves is announced to those above it now, and to those above it before: accounts came
-- or went, and with them lines, of which none is named.
create or replace function announce_auth_users() returns trigger language plpgsql as $$
declare
  ids uuid[];
  owners uuid[];
  has_moved boolean;
begin
  if tg_op = 'INSERT' then
    perform announce('auth_users', tg_op, array_agg(id), array_agg(id)) from new_rows;
    return null;
  end if;
  select array_agg(id), bool_or(is_moved),
      array_agg(id) || coalesce(array_agg(left_owner) filter (where is_moved and left_owner is not null), '{}')
    into ids, has_moved, owners
    from (
      select new_rows.id, old_rows.owner_id as left_owner,
        new_rows.owner_id is distinct from old_rows.owner_id as is_moved
      from new_rows join old_rows using (id)
    ) as changed;
  perform announce('auth_users', tg_op, ids, owners);
  if has_moved then
    perform pg_notify('linekeeper', json_build_object('table', 'users', 'op', 'UPDATE', 'ids', null,
      'owners', case when cardinality(owners) <= 150 then to_json(owners) end)::text);
  end if;
  perform pg_notify('linekeeper_revoked', json_build_object('account_id', new_rows.id)::text)
    from new_rows join old_rows using (id)
    where (new_rows.group_id, new_rows.banned) is distinct from (old_rows.group_id, old_rows.banned);
  return null;
end $$;
