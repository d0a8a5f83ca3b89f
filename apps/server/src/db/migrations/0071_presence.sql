-- Who is on, as each card server last said. What was watched is never kept.

-- The last reading of a server: what it said, or why it said nothing.
create table if not exists server_presence (
  server_id uuid primary key references cccam_servers (id) on delete cascade,
  -- The last reading that succeeded; null before the first.
  read_at timestamptz,
  tried_at timestamptz not null default now(),
  lines_online integer not null default 0,
  connections integer not null default 0,
  card_server text,
  started_at timestamptz,
  -- Why the last try failed; null if it succeeded.
  finding jsonb
);

-- The hours of a server in which it was read: without them, an hour without connections and one that is not known
-- would look the same.
create table if not exists server_presence_hours (
  server_id uuid not null references cccam_servers (id) on delete cascade,
  hour timestamptz not null,
  minutes_known smallint not null,
  -- Lines online, added up over the readings, and the most of one reading.
  line_minutes integer not null,
  most_online integer not null,
  primary key (server_id, hour)
);

-- A line that was on at least once. Lines without a row never were.
create table if not exists line_presence (
  line_id uuid primary key references users (id) on delete cascade,
  server_id uuid not null references cccam_servers (id) on delete cascade,
  -- 0 while offline.
  connections integer not null,
  -- Begin of the present state.
  since timestamptz not null,
  -- Infinity while online, so that those are the last seen in every order.
  last_seen_at timestamptz not null,
  protocol text,
  -- Sessions of now: protocol, network as the setting keeps it, since.
  sessions jsonb not null default '[]',
  -- The card server's counters at the last reading, from which the next one is counted.
  counters jsonb,
  -- Readings of the last minutes with more networks than the line may have, and what was noted of them.
  over_limit jsonb,
  sharing jsonb
  -- Every minute writes the rows of the lines that are on, beside where they were.
) with (fillfactor = 60);
create index if not exists line_presence_server on line_presence (server_id) where connections > 0;
create index if not exists line_presence_last_seen on line_presence (last_seen_at, line_id);

-- True for a line from its first connection on, so that the few that never had one are found in an index.
alter table users add column if not exists has_connected boolean not null default false;
create index if not exists users_never_connected on users (added_date, id)
  include (server_id, owner_id, expiry_date, status_label) where not has_connected;

create table if not exists line_usage_hours (
  line_id uuid not null references users (id) on delete cascade,
  hour timestamptz not null,
  minutes_online smallint not null,
  requests_ok integer not null,
  requests_refused integer not null,
  requests_timed_out integer not null,
  -- Times of answers, added up, and of how many.
  answer_ms bigint not null,
  answers integer not null,
  most_connections integer not null,
  -- Different networks, as hashes.
  networks integer[] not null default '{}',
  primary key (line_id, hour)
) with (fillfactor = 60);
create index if not exists line_usage_hours_hour on line_usage_hours (hour);

create or replace function announce_server_presence() returns trigger language plpgsql as $$
begin
  perform announce('server_presence', tg_op, array_agg(server_id), null) from new_rows;
  return null;
end $$;
create or replace trigger announce_insert after insert on server_presence
  referencing new table as new_rows for each statement execute function announce_server_presence();
create or replace trigger announce_update after update on server_presence
  referencing new table as new_rows for each statement execute function announce_server_presence();

insert into settings (key, value) values
  ('kept_addresses', '"network"'), ('sharing_connections', '1'), ('sharing_suspend_hours', '0')
  on conflict do nothing;
