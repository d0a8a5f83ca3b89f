-- The password that a line was adopted with, for as long as a row of the operator's may have it: kept when
-- the line gets another one, another name or server, or is deleted, before its server took anything of it.
-- Encrypted, and bound to the line.
alter table server_accounts add column if not exists left_password jsonb;

create or replace function keep_left_password() returns trigger language plpgsql as $$
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and revision > synced_revision and left_password is null;
  return null;
end $$;

drop trigger if exists users_keep_left_password on users;
create trigger users_keep_left_password after update of password, username, server_id on users
  for each row when (
    (old.password, old.username, old.server_id) is distinct from (new.password, new.username, new.server_id))
  execute function keep_left_password();
drop trigger if exists users_keep_left_password_of_deleted on users;
create trigger users_keep_left_password_of_deleted after delete on users
  for each row execute function keep_left_password();

-- Names that stand in the card server's files as the operator's own; null where its agent does not say.
alter table cccam_servers add column if not exists names_by_hand text[];
