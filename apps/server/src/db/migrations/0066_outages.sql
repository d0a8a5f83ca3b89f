-- When a server last turned error, and when it answered again; null before the first time, and while it is away.
alter table cccam_servers
  add column if not exists away_at timestamptz,
  add column if not exists back_at timestamptz;
update cccam_servers set away_at = coalesce(
    (select began_at from server_incidents where server_id = cccam_servers.id and ended_at is null),
    error_told_at, now())
  where status = 'error' and away_at is null;

-- By the database, because a panel of the version before changes the status too.
create or replace function note_outage() returns trigger language plpgsql as $$
begin
  if new.status = 'error' and old.status <> 'error' then
    new.away_at := coalesce((
      select began_at from server_incidents where server_id = new.id and ended_at is null), now());
    new.back_at := null;
  elsif new.status = 'active' and old.status = 'error' then
    new.back_at := now();
  end if;
  return new;
end $$;
create or replace trigger note_outage before update of status on cccam_servers
  for each row execute function note_outage();

-- A message may be to the accounts with lines on a server. The server may be deleted, its message stays and says
-- its name. `texts` has title and content by language; without one a reader gets those of the row.
alter table messages
  add column if not exists server_id uuid,
  add column if not exists server_name text,
  add column if not exists texts jsonb;
alter table messages drop constraint if exists messages_recipient;
alter table messages add constraint messages_recipient check (
  is_global = (recipient_id is null and server_id is null) and (recipient_id is null or server_id is null));
create index if not exists messages_server_id on messages (server_id, created_at) where server_id is not null;

-- Who gets such a message, as it was when it was published.
create table if not exists message_readers (
  message_id uuid not null references messages (id) on delete cascade,
  account_id uuid not null references auth_users (id) on delete cascade,
  primary key (message_id, account_id)
);
create index if not exists message_readers_account_id on message_readers (account_id);

create or replace function announce_message_readers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('messages', tg_op, array_agg(distinct message_id), array_agg(distinct account_id)) from new_rows;
  else
    perform announce('messages', tg_op, array_agg(distinct message_id), array_agg(distinct account_id)) from old_rows;
  end if;
  return null;
end $$;
create or replace trigger announce_insert after insert on message_readers
  referencing new table as new_rows for each statement execute function announce_message_readers();
create or replace trigger announce_delete after delete on message_readers
  referencing old table as old_rows for each statement execute function announce_message_readers();

-- As before; of a message to the accounts with lines on a server its readers hear.
create or replace function announce_messages() returns trigger language plpgsql as $$
declare
  changed constant text := case tg_op when 'DELETE' then 'old_rows' else 'new_rows' end;
  row_count bigint;
  message record;
begin
  execute format('select count(*) from %I', changed) into row_count;
  if row_count > 20 then
    perform pg_notify('linekeeper', json_build_object('table', 'messages', 'op', tg_op,
      'ids', null, 'owners', null, 'everyone', true)::text);
    return null;
  end if;
  for message in execute format(
      'select id, recipient_id, state <> %L as is_shown, is_global from %I', 'scheduled', changed) loop
    if message.recipient_id is null and not message.is_global then
      perform announce('messages', tg_op, array[message.id],
        array(select account_id from message_readers where message_id = message.id));
    else
      perform pg_notify('linekeeper', json_build_object('table', 'messages', 'op', tg_op,
        'ids', json_build_array(message.id),
        'owners', case when message.is_shown and not message.is_global
          then json_build_array(message.recipient_id) else '[]'::json end,
        'everyone', message.is_shown and message.is_global)::text);
    end if;
  end loop;
  return null;
end $$;

-- Customers who must enter other lines since a job, and who were told so; as long as the job is kept.
create table if not exists told_customers (
  job_id uuid not null references jobs (id) on delete cascade,
  -- No foreign key: lines are deleted, jobs say what was done to them.
  line_id uuid not null,
  told_by uuid references auth_users (id) on delete set null,
  told_at timestamptz not null default now(),
  primary key (job_id, line_id)
);
create index if not exists told_customers_told_by on told_customers (told_by);

create or replace function announce_told_customers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('jobs', 'UPDATE', array_agg(distinct job_id),
      coalesce(array_agg(distinct told_by) filter (where told_by is not null), '{}')) from new_rows;
  else
    perform announce('jobs', 'UPDATE', array_agg(distinct job_id),
      coalesce(array_agg(distinct told_by) filter (where told_by is not null), '{}')) from old_rows;
  end if;
  return null;
end $$;
create or replace trigger announce_insert after insert on told_customers
  referencing new table as new_rows for each statement execute function announce_told_customers();
create or replace trigger announce_delete after delete on told_customers
  referencing old table as old_rows for each statement execute function announce_told_customers();
