-- A line's sync state is read from the few rows whose server has not taken, or no longer has, what is
-- wanted: nearly every row is in order, and need not be looked up to say so.
drop index server_accounts_waiting;
create index server_accounts_unsettled on server_accounts (username, server_id, sync_state)
  where sync_state <> 'synced' or not on_server;

-- Rises with every statement that changes how many lines an account sees, before it is committed. A
-- sequence, as nobody waits for another to raise it. While it stands still, and nothing that raised it
-- is under way, a total that was counted is right. It goes where the table goes.
create sequence lines_version owned by users.id;
create function raise_lines_version() returns trigger language plpgsql as $$
begin
  perform nextval('lines_version');
  return null;
end $$;
create trigger raise_lines_version after insert or delete or truncate or update of owner_id on users
  for each statement execute function raise_lines_version();
create trigger raise_lines_version after insert or delete or truncate or update on account_tree
  for each statement execute function raise_lines_version();
