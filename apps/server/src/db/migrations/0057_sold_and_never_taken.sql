-- The line that was sold with this push, at which revision, and by which import: for as long as its server has
-- taken none since, what the server refuses because of a row by hand is taken back.
alter table server_accounts add column if not exists sold jsonb;

-- The row of a line that gets another name keeps whose it was, until its server has deleted it: the new name
-- comes first, and the line is not as it should be while the old one works. A line that was sold and never
-- taken has no row there.
create or replace function keep_left_password() returns trigger language plpgsql as $$
declare
  is_renamed boolean := tg_op = 'UPDATE' and new.username <> old.username and new.server_id = old.server_id;
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and (revision > synced_revision or is_renamed) and left_password is null
      and (synced_revision > 0 or wanted_since <= old.created_at)
      and (sold is null or sold ->> 'line_id' <> old.id::text
        or synced_revision >= (sold ->> 'revision')::bigint);
  return null;
end $$;
