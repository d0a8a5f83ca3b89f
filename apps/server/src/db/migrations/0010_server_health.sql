-- A server's status follows its pushes and the minute's check.
alter table cccam_servers
  add column failures integer not null default 0,
  add column next_check_at timestamptz not null default now();
update cccam_servers set failures = 3 where status = 'error';

-- A minute's check that finds nothing new is no news: only what it changes is announced.
create function announce_changed_servers() returns trigger language plpgsql as $$
declare
  unheard constant text[] := array['latency_ms', 'last_connection', 'failures', 'next_check_at',
    'next_count_at', 'repaired_at'];
begin
  perform announce('cccam_servers', tg_op, array_agg(new_rows.id), '{}')
    from new_rows join old_rows using (id)
    where to_jsonb(new_rows) - unheard is distinct from to_jsonb(old_rows) - unheard;
  return null;
end $$;
drop trigger announce_update on cccam_servers;
create trigger announce_update after update on cccam_servers
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_changed_servers();

-- With a check each minute, old ones are thinned by their age.
create index server_checks_checked_at on server_checks (checked_at);
