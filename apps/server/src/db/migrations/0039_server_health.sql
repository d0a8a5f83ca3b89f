-- Single checks are kept for a day; of older ones each hour's figures, for thirty days.
create table if not exists server_check_hours (
  server_id uuid not null references cccam_servers (id) on delete cascade,
  hour timestamptz not null,
  checks integer not null check (checks > 0),
  failed integer not null check (failed between 0 and checks),
  -- The median of those that were answered; null where none was.
  latency_ms integer,
  primary key (server_id, hour)
);
create index if not exists server_check_hours_hour on server_check_hours (hour);

-- From the first failed check to the first good one.
create table if not exists server_incidents (
  id uuid primary key,
  server_id uuid not null references cccam_servers (id) on delete cascade,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  finding jsonb,
  failed integer not null default 1
);
create unique index if not exists server_incidents_open on server_incidents (server_id) where ended_at is null;
create index if not exists server_incidents_server_id on server_incidents (server_id, began_at);
create index if not exists server_incidents_ended_at on server_incidents (ended_at);

-- Until when administrators are told of a return, they are told of no further error.
alter table cccam_servers
  add column if not exists error_told_at timestamptz,
  add column if not exists good_checks integer not null default 0;
update cccam_servers set error_told_at = now() where status = 'error';

-- What is older was thinned to a success and a failure an hour, of which no share can be made.
delete from server_checks where checked_at < now() - interval '2 days';

create or replace function announce_changed_servers() returns trigger language plpgsql as $$
declare
  unheard constant text[] := array['latency_ms', 'last_connection', 'failures', 'next_check_at',
    'next_count_at', 'repaired_at', 'error_told_at', 'good_checks'];
begin
  perform announce('cccam_servers', tg_op, array_agg(new_rows.id), '{}')
    from new_rows join old_rows using (id)
    where to_jsonb(new_rows) - unheard is distinct from to_jsonb(old_rows) - unheard;
  return null;
end $$;
