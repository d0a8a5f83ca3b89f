-- Audit ---------------------------------------------------------------------------------------

-- How the subject stood and stands, without secrets; from where and in which request. Null for what the
-- panel does by itself, and for what was written before.
alter table audit_log
  add column before jsonb,
  add column after jsonb,
  add column address text,
  add column request_id text;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create index audit_log_subject on audit_log (subject_type, subject_id, created_at);

-- Entries are sealed in batches, as transfers are: see 0002.
create table audit_seals (
  number bigint primary key,
  entries integer not null check (entries > 0),
  sealed_until timestamptz not null,
  seal text not null,
  created_at timestamptz not null default now()
);
create table audit_sealed (
  entry_id uuid primary key,
  seal_number bigint not null,
  digest bytea not null
);
create index audit_sealed_seal_number on audit_sealed (seal_number, entry_id);

-- From where and in which request a job was asked for: each of its rows is an act of its own.
alter table jobs
  add column address text,
  add column request_id text;

-- Scheduled jobs ------------------------------------------------------------------------------

-- When each is due next, for all panels together.
create table schedules (
  name text primary key,
  next_at timestamptz not null
);

-- Live changes --------------------------------------------------------------------------------

-- For a table whose every change is heard by the account in its `owner` column: the statement's rows
-- are announced by one trigger for each kind of change.
create function announce_rows() returns trigger language plpgsql as $$
declare
  owner constant text := tg_argv[0];
  changed constant text := case tg_op when 'DELETE' then 'old_rows' else 'new_rows' end;
  ids uuid[];
  owners uuid[];
begin
  execute format('select array_agg(id), array_agg(distinct %I) from %I', owner, changed)
    into ids, owners;
  perform announce(tg_table_name, tg_op, ids, owners);
  return null;
end $$;

-- Notifications -------------------------------------------------------------------------------

create table notifications (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  kind text not null check (kind in
    ('message', 'chat-message', 'order-placed', 'mail', 'friend-interactive')),
  title text not null,
  content text not null,
  link text,
  is_read boolean not null default false,
  created_at timestamptz not null default now(),
  -- What is to be said once only; null for what may recur.
  said_once text,
  unique (account_id, said_once)
);
create index notifications_account_id on notifications (account_id, created_at desc, id desc);
create index notifications_unread on notifications (account_id) where not is_read;

create trigger announce_insert after insert on notifications
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create trigger announce_update after update on notifications
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
