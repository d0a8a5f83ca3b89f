-- What the agent of a card server tells in GET /: whether the card server takes what is delivered, and
-- its time zone and day. null where it does not say.
alter table cccam_servers
  add column if not exists reload jsonb,
  add column if not exists zone text,
  add column if not exists server_day date,
  add column if not exists day_finding jsonb,
  -- When it is asked again because it had not taken everything; null if the check of each minute will do.
  add column if not exists reload_look_at timestamptz;

create or replace function announce_changed_servers() returns trigger language plpgsql as $$
declare
  unheard constant text[] := array['latency_ms', 'last_connection', 'failures', 'next_check_at',
    'next_count_at', 'repaired_at', 'error_told_at', 'good_checks', 'reload_look_at'];
begin
  perform announce('cccam_servers', tg_op, array_agg(new_rows.id), '{}')
    from new_rows join old_rows using (id)
    where to_jsonb(new_rows) - unheard is distinct from to_jsonb(old_rows) - unheard;
  return null;
end $$;
