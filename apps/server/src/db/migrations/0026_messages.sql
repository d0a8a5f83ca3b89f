-- Messages ------------------------------------------------------------------------------------

-- One row each, however many read it. A scheduled one is published when its moment has come, and then
-- publish_at is the moment at which that was done.
create table messages (
  id uuid primary key,
  title text not null,
  content text not null,
  is_global boolean not null,
  recipient_id uuid references auth_users (id) on delete cascade,
  created_by uuid not null references auth_users (id),
  state text not null check (state in ('published', 'scheduled', 'expired')),
  publish_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  search text not null generated always as (fold(title || ' ' || content)) stored,
  constraint messages_recipient check (is_global = (recipient_id is null))
);
create index messages_state on messages (state, publish_at, id);
create index messages_global on messages (publish_at, id) where state = 'published' and is_global;
create index messages_recipient_id on messages (recipient_id, publish_at, id)
  where recipient_id is not null;
create index messages_created_by on messages (created_by);
create index messages_search on messages using gin (search gin_trgm_ops);
create index messages_ending on messages (expires_at)
  where state = 'published' and expires_at is not null;

-- What an account has read, one by one,
create table message_reads (
  message_id uuid not null references messages (id) on delete cascade,
  account_id uuid not null references auth_users (id) on delete cascade,
  read_at timestamptz not null default now(),
  primary key (message_id, account_id)
);
create index message_reads_account_id on message_reads (account_id);

-- and all at once: what was published up to then.
create table message_marks (
  account_id uuid primary key references auth_users (id) on delete cascade,
  read_until timestamptz not null
);
create index message_marks_read_until on message_marks (read_until);

-- Published messages whose mails are not all queued, and the last account that was looked at.
create table message_mails (
  message_id uuid primary key references messages (id) on delete cascade,
  last_account_id uuid
);

-- Bells list what they have by age; a message stands in it by its publication.
create index notifications_created_at on notifications (account_id, created_at, id);

-- A message to everyone concerns everyone, without naming them. One that is not published concerns
-- administrators alone. Of very many at once, only that something changed is said.
create function announce_messages() returns trigger language plpgsql as $$
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
    perform pg_notify('linekeeper', json_build_object('table', 'messages', 'op', tg_op,
      'ids', json_build_array(message.id),
      'owners', case when message.is_shown and not message.is_global
        then json_build_array(message.recipient_id) else '[]'::json end,
      'everyone', message.is_shown and message.is_global)::text);
  end loop;
  return null;
end $$;
create trigger announce_insert after insert on messages
  referencing new table as new_rows for each statement execute function announce_messages();
create trigger announce_update after update on messages
  referencing new table as new_rows for each statement execute function announce_messages();
create trigger announce_delete after delete on messages
  referencing old table as old_rows for each statement execute function announce_messages();

-- Heard by the reader alone, whose other browsers lose the mark too.
create function announce_message_reads() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'message_reads' then
    perform announce('message_reads', 'INSERT', array_agg(message_id), array_agg(distinct account_id))
      from new_rows;
  else
    perform announce('message_reads', 'INSERT', array_agg(account_id), array_agg(account_id))
      from new_rows;
  end if;
  return null;
end $$;
create trigger announce_insert after insert on message_reads
  referencing new table as new_rows for each statement execute function announce_message_reads();
create trigger tell_insert after insert on message_marks
  referencing new table as new_rows for each statement execute function announce_message_reads();
create trigger tell_update after update on message_marks
  referencing new table as new_rows for each statement execute function announce_message_reads();

-- Who turned every mail off gets none of messages either.
update account_settings
  set value = jsonb_set(value, '{mails,message}', 'false')
  where value -> 'mails' @> '{"lines_expiring":false,"low_balance":false,"server_error":false,
    "new_account":false,"top_ups":false,"credits_added":false,"credits_taken_back":false}';
