create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Lower case without accents. unaccent() is only STABLE because its dictionary could change;
-- with the dictionary named it does not, so indexes may stand on it.
create function fold(text) returns text
  language sql immutable strict parallel safe
  as $$ select lower(unaccent('unaccent'::regdictionary, $1)) $$;

-- Accounts ------------------------------------------------------------------------------------

create table groups (
  id text primary key,
  name text not null unique,
  description text not null default '',
  permissions text[] not null default '{}',
  created_at timestamptz not null default now()
);

create table auth_users (
  id uuid primary key,
  email text collate "C" not null unique,
  email_verified boolean not null default false,
  full_name text not null default '',
  username text not null,
  avatar_url text,
  notes text,
  credits bigint not null default 0,
  group_id text not null references groups (id),
  is_admin boolean not null generated always as (group_id = '1') stored,
  owner_id uuid references auth_users (id),
  banned boolean not null default false,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint auth_users_credits_floor check (credits >= 0)
);
create index auth_users_owner_id on auth_users (owner_id);
create index auth_users_created_at on auth_users (created_at, id);

create table auth_sessions (
  id uuid primary key,
  user_id uuid not null references auth_users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_sessions_user_id on auth_sessions (user_id);

create table auth_credentials (
  id uuid primary key,
  user_id uuid not null references auth_users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index auth_credentials_user_id on auth_credentials (user_id);

create table auth_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_verifications_identifier on auth_verifications (identifier);

-- Who stands below whom: every account is below itself and below its owners, all the way up.
create table account_tree (
  ancestor_id uuid not null references auth_users (id) on delete cascade,
  account_id uuid not null references auth_users (id) on delete cascade,
  depth integer not null,
  primary key (ancestor_id, account_id)
);
create index account_tree_account_id on account_tree (account_id);

create function keep_account_tree() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.owner_id is not distinct from old.owner_id then
      return null;
    end if;
    -- Two moves at once could each be sound and together make a circle.
    perform pg_advisory_xact_lock(hashtext('account_tree'));
    if exists (
      select from account_tree where ancestor_id = new.id and account_id = new.owner_id
    ) then
      raise exception 'an account cannot be below itself' using errcode = 'check_violation',
        constraint = 'account_tree_no_circle';
    end if;
    delete from account_tree above
      using account_tree below
      where below.ancestor_id = new.id and above.account_id = below.account_id
        and above.ancestor_id in (
          select ancestor_id from account_tree where account_id = new.id and ancestor_id <> new.id
        );
    insert into account_tree (ancestor_id, account_id, depth)
      select above.ancestor_id, below.account_id, above.depth + below.depth + 1
      from account_tree above, account_tree below
      where above.account_id = new.owner_id and below.ancestor_id = new.id;
  else
    insert into account_tree (ancestor_id, account_id, depth)
      select new.id, new.id, 0
      union all
      select ancestor_id, new.id, depth + 1 from account_tree where account_id = new.owner_id;
  end if;
  return null;
end $$;
create trigger keep_account_tree after insert or update of owner_id on auth_users
  for each row execute function keep_account_tree();

-- Servers -------------------------------------------------------------------------------------

create table cccam_servers (
  id uuid primary key,
  server_name text not null,
  host_ip text not null,
  port integer not null check (port between 1 and 65535),
  api_port integer not null check (api_port between 1 and 65535),
  api_scheme text not null check (api_scheme in ('http', 'https')),
  username text not null,
  password text not null,
  protocol text not null check (protocol in ('CCcam', 'NewCamd')),
  status text not null default 'inactive' check (status in ('active', 'inactive', 'error')),
  status_message text,
  latency_ms integer,
  user_id uuid references auth_users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_connection timestamptz
);
create index cccam_servers_created_at on cccam_servers (created_at, id);

-- Lines ---------------------------------------------------------------------------------------

create table users (
  id uuid primary key,
  username text collate "C" not null unique,
  password text not null,
  protocol text not null default 'cccam',
  host_port text[] not null default '{}',
  user_value text,
  added_date date not null,
  expiry_date date not null,
  live_channel text not null default 'Info',
  info text not null default 'Info',
  notes text,
  status jsonb not null,
  name text,
  company text,
  role text,
  avatar_url text,
  email text,
  owner_id uuid not null references auth_users (id),
  server_id uuid not null references cccam_servers (id),
  is_trial boolean not null default false,
  subscription_months integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  status_label text generated always as (lower(status -> 0 ->> 'label')) stored,
  search text generated always as (
    fold(username || ' ' || coalesce(name, '') || ' ' || coalesce(company, '') || ' '
      || coalesce(email, '') || ' ' || coalesce(notes, ''))
  ) stored
);
create index users_added_date on users (added_date, id);
create index users_expiry_date on users (expiry_date, id);
create index users_owner_added on users (owner_id, added_date, id);
create index users_owner_expiry on users (owner_id, expiry_date, id);
create index users_server_id on users (server_id);
create index users_live_trials on users (owner_id, expiry_date) where is_trial;
create index users_search on users using gin (search gin_trgm_ops);

-- What each card server is to hold under a name. A deletion wants nothing there (null), so it can
-- never be carried out after the name was sold again.
create table server_accounts (
  server_id uuid not null references cccam_servers (id) on delete cascade,
  username text collate "C" not null,
  wanted jsonb,
  operation text not null check (operation in ('add', 'edit', 'renew', 'delete')),
  on_server boolean not null default false,
  revision bigint not null default 1,
  synced_revision bigint not null default 0,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  claimed_until timestamptz,
  last_message text,
  updated_at timestamptz not null default now(),
  primary key (server_id, username)
);
create index server_accounts_due on server_accounts (server_id, next_try_at)
  where revision > synced_revision;

-- Money ---------------------------------------------------------------------------------------

-- from_id and to_id are accounts, or one of the two system accounts (issuance, sales) that hold no
-- stored balance. line_id has no foreign key: lines are deleted, what was paid stays.
create table credit_transfers (
  id uuid primary key,
  kind text not null check (kind in
    ('sale', 'renewal', 'transfer', 'take_back', 'mint', 'adjustment', 'redeem', 'topup', 'refund')),
  from_id uuid not null,
  to_id uuid not null,
  amount bigint not null check (amount > 0),
  actor_id uuid references auth_users (id),
  note text,
  line_id uuid,
  username text,
  created_at timestamptz not null default now(),
  constraint credit_transfers_two_accounts check (from_id <> to_id)
);
create index credit_transfers_from on credit_transfers (from_id, created_at, id);
create index credit_transfers_to on credit_transfers (to_id, created_at, id);

create function check_transfer_accounts() returns trigger language plpgsql as $$
declare
  system_accounts constant uuid[] := array[
    '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
begin
  if new.from_id <> all (system_accounts)
      and not exists (select from auth_users where id = new.from_id)
    or new.to_id <> all (system_accounts)
      and not exists (select from auth_users where id = new.to_id) then
    raise exception 'a transfer needs two known accounts' using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger check_transfer_accounts before insert on credit_transfers
  for each row execute function check_transfer_accounts();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger credit_transfers_append_only before update or delete or truncate on credit_transfers
  for each statement execute function refuse_change();

-- A balance begins at 0 and an account with history is never removed: credits come and go by transfers.
create function refuse_opening_balance() returns trigger language plpgsql as $$
begin
  if new.credits <> 0 then
    raise exception 'an account begins with 0 credits' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refuse_opening_balance before insert on auth_users
  for each row execute function refuse_opening_balance();

-- Housekeeping --------------------------------------------------------------------------------

create table idempotency_keys (
  account_id uuid not null references auth_users (id) on delete cascade,
  endpoint text not null,
  key text not null,
  body_hash text not null,
  result jsonb,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, endpoint, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table rate_limits (
  scope text not null,
  subject text not null,
  count integer not null,
  window_ends_at timestamptz not null,
  primary key (scope, subject)
);

create table settings (
  key text primary key,
  value jsonb not null
);

create table audit_log (
  id uuid primary key,
  actor_id uuid references auth_users (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_created_at on audit_log (created_at, id);

-- Live changes --------------------------------------------------------------------------------

-- One message a statement, not a row. Where a statement changed many rows it names none of them.
create function announce(table_name text, op text, ids uuid[], owners uuid[]) returns void
  language plpgsql as $$
begin
  if coalesce(cardinality(ids), 0) = 0 then
    return;
  end if;
  perform pg_notify('linekeeper', json_build_object(
    'table', table_name,
    'op', op,
    'ids', case when cardinality(ids) <= 20 then to_json(ids) end,
    'owners', case when cardinality(owners) <= 150 then to_json(owners) end
  )::text);
end $$;

create function announce_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('users', tg_op, array_agg(id), array_agg(distinct owner_id)) from new_rows;
  elsif tg_op = 'DELETE' then
    perform announce('users', tg_op, array_agg(id), array_agg(distinct owner_id)) from old_rows;
  else
    perform announce('users', tg_op, array_agg(distinct id), array_agg(distinct owner_id))
      from (select id, owner_id from old_rows union select id, owner_id from new_rows) as changed;
  end if;
  return null;
end $$;
create trigger announce_insert after insert on users
  referencing new table as new_rows for each statement execute function announce_users();
create trigger announce_update after update on users
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_users();
create trigger announce_delete after delete on users
  referencing old table as old_rows for each statement execute function announce_users();

-- Whether a line has reached its server is part of the line.
create function announce_server_accounts() returns trigger language plpgsql as $$
begin
  perform announce('users', 'UPDATE', array_agg(distinct line.id), array_agg(distinct line.owner_id))
    from new_rows
    join old_rows using (server_id, username)
    join users line using (server_id, username)
    where (new_rows.revision > new_rows.synced_revision, new_rows.last_message)
      is distinct from (old_rows.revision > old_rows.synced_revision, old_rows.last_message);
  return null;
end $$;
create trigger announce_update after update on server_accounts
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_server_accounts();

create function announce_auth_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('auth_users', tg_op, array_agg(id), array_agg(id)) from new_rows;
  else
    perform announce('auth_users', tg_op, array_agg(id), array_agg(id)) from new_rows;
    perform pg_notify('linekeeper_revoked', json_build_object('account_id', new_rows.id)::text)
      from new_rows join old_rows using (id)
      where (new_rows.group_id, new_rows.banned) is distinct from (old_rows.group_id, old_rows.banned);
  end if;
  return null;
end $$;
create trigger announce_insert after insert on auth_users
  referencing new table as new_rows for each statement execute function announce_auth_users();
create trigger announce_update after update on auth_users
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_auth_users();

create function announce_groups() returns trigger language plpgsql as $$
begin
  perform pg_notify('linekeeper_revoked', json_build_object('group_id', new_rows.id)::text)
    from new_rows join old_rows using (id)
    where new_rows.permissions is distinct from old_rows.permissions;
  return null;
end $$;
create trigger announce_update after update on groups
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_groups();

create function announce_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('linekeeper_revoked', json_build_object('session_id', id)::text) from old_rows;
  return null;
end $$;
create trigger announce_delete after delete on auth_sessions
  referencing old table as old_rows for each statement execute function announce_sessions();

create function announce_servers() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform announce('cccam_servers', tg_op, array_agg(id), '{}') from old_rows;
  else
    perform announce('cccam_servers', tg_op, array_agg(id), '{}') from new_rows;
  end if;
  return null;
end $$;
create trigger announce_insert after insert on cccam_servers
  referencing new table as new_rows for each statement execute function announce_servers();
create trigger announce_update after update on cccam_servers
  referencing new table as new_rows for each statement execute function announce_servers();
create trigger announce_delete after delete on cccam_servers
  referencing old table as old_rows for each statement execute function announce_servers();

-- What every panel begins with ----------------------------------------------------------------

insert into groups (id, name, description, permissions) values
  ('1', 'Admin', 'Full control of the panel', array['manage_users', 'manage_groups',
    'manage_resellers', 'view_users', 'view_groups', 'view_resellers', 'add_credits']),
  ('2', 'Resellers', 'Sell lines from their own credits', array['view_users', 'add_credits']),
  ('3', 'Users', 'No permissions', '{}');

insert into settings (key, value) values
  ('site_name', '"Linekeeper"'),
  ('legal_notice', '""'),
  ('sign_up_open', 'true'),
  ('trial_days', '2'),
  ('trial_limit', '5');
