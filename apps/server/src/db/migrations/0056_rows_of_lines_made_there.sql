-- A line that was only moved to a server, which took nothing of it, has no row there: one by hand with its
-- name and password is of a customer of the operator's, and stays when the line goes. Where a line was made
-- its push has been due since then.
create or replace function keep_left_password() returns trigger language plpgsql as $$
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and revision > synced_revision and left_password is null
      and (synced_revision > 0 or wanted_since <= old.created_at);
  return null;
end $$;

update server_accounts set left_password = null
  from users
  where users.id = (left_password ->> 'line_id')::uuid and synced_revision = 0 and wanted_since > users.created_at;

-- By line, because a line with a new name asks for the row that it may still have by the old one.
create index if not exists server_accounts_left_password on server_accounts ((left_password ->> 'line_id'))
  where left_password is not null;
