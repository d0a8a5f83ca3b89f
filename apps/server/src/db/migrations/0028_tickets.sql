-- Tickets -------------------------------------------------------------------------------------

-- The number that was given last: one of a deleted ticket is not given again.
create table ticket_numbers (
  only_row boolean primary key default true check (only_row),
  last_number bigint not null
);
insert into ticket_numbers (last_number) values (1000);

create table tickets (
  id uuid primary key,
  number bigint not null unique,
  title text not null,
  description text not null,
  status text not null default 'open' check (status in ('open', 'in_progress', 'pending', 'closed')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  category text not null default 'general'
    check (category in ('general', 'technical', 'billing', 'account', 'other')),
  user_id uuid not null references auth_users (id),
  assigned_to uuid references auth_users (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Lines of the conversation are counted from 1; the description is 0. Of those that the owner may see,
  -- and of all, with the notes.
  last_shown integer not null default 0,
  last_position integer not null default 0,
  replies integer not null default 0,
  last_writer_id uuid not null references auth_users (id),
  search text not null generated always as (fold(title || ' ' || description)) stored,
  constraint tickets_positions check (0 <= last_shown and last_shown <= last_position)
);
create index tickets_updated_at on tickets (updated_at, id);
create index tickets_created_at on tickets (created_at, id);
create index tickets_user_id on tickets (user_id, updated_at, id);
create index tickets_status on tickets (status, updated_at, id);
create index tickets_assigned_to on tickets (assigned_to, updated_at, id)
  where assigned_to is not null;
create index tickets_search on tickets using gin (search gin_trgm_ops);

-- What owner and administrators see: replies, and what was changed in between.
create table ticket_replies (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  position integer not null check (position > 0),
  kind text not null check (kind in ('reply', 'event')),
  user_id uuid not null references auth_users (id),
  -- When it was written.
  is_admin boolean not null,
  content text not null,
  -- field, from and to.
  event jsonb,
  created_at timestamptz not null default clock_timestamp(),
  search text not null generated always as (fold(content)) stored,
  unique (ticket_id, position),
  constraint ticket_replies_event check ((kind = 'event') = (event is not null))
);
create index ticket_replies_search on ticket_replies using gin (search gin_trgm_ops)
  where kind = 'reply';

-- What administrators write to each other. A table of its own: no query for the owner can find it.
create table ticket_notes (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  position integer not null check (position > 0),
  user_id uuid not null references auth_users (id),
  content text not null,
  created_at timestamptz not null default clock_timestamp(),
  search text not null generated always as (fold(content)) stored,
  unique (ticket_id, position)
);
create index ticket_notes_search on ticket_notes using gin (search gin_trgm_ops);

-- How far an account has read a ticket; without a row it has not opened it.
create table ticket_reads (
  ticket_id uuid not null references tickets (id) on delete cascade,
  account_id uuid not null references auth_users (id) on delete cascade,
  read_to integer not null,
  primary key (account_id, ticket_id)
);
create index ticket_reads_ticket_id on ticket_reads (ticket_id);

create table canned_replies (
  id uuid primary key,
  title text not null,
  content text not null,
  created_by uuid not null references auth_users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  title_key text not null unique generated always as (fold(title)) stored
);

create trigger announce_insert after insert on tickets
  referencing new table as new_rows for each statement execute function announce_rows('user_id');
create trigger announce_delete after delete on tickets
  referencing old table as old_rows for each statement execute function announce_rows('user_id');

-- A note only counts the lines: its owner is not told of that.
create function announce_tickets() returns trigger language plpgsql as $$
begin
  perform announce('tickets', 'UPDATE', array_agg(id), array_agg(distinct user_id))
    from new_rows join old_rows as former using (id, user_id)
    where to_jsonb(new_rows) - 'last_position' <> to_jsonb(former) - 'last_position';
  return null;
end $$;
create trigger announce_update after update on tickets
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_tickets();

-- To administrators, so it names the ticket and no owner.
create function announce_ticket_notes() returns trigger language plpgsql as $$
begin
  perform announce('ticket_notes', tg_op, array_agg(distinct ticket_id), '{}') from new_rows;
  return null;
end $$;
create trigger announce_insert after insert on ticket_notes
  referencing new table as new_rows for each statement execute function announce_ticket_notes();

create function announce_ticket_reads() returns trigger language plpgsql as $$
begin
  perform announce('ticket_reads', tg_op, array_agg(distinct ticket_id), array_agg(distinct account_id))
    from new_rows;
  return null;
end $$;
create trigger announce_insert after insert on ticket_reads
  referencing new table as new_rows for each statement execute function announce_ticket_reads();
create trigger announce_update after update on ticket_reads
  referencing new table as new_rows for each statement execute function announce_ticket_reads();

create trigger announce_insert after insert on canned_replies
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_update after update on canned_replies
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_delete after delete on canned_replies
  referencing old table as old_rows for each statement execute function announce_rows('created_by');

-- Preferences ---------------------------------------------------------------------------------

-- Who has turned off all mails gets none of tickets either.
update account_settings set value = jsonb_set(value, '{mails}',
    value -> 'mails' || '{"ticket_replies": false, "new_tickets": false}')
  where value -> 'mails' @> '{"lines_expiring": false, "low_balance": false, "server_error": false,
    "new_account": false, "top_ups": false}';
