-- Which line an account is of, also while nothing is wanted of it because the line is suspended: settle, the only
-- writer of the wanted state, finds by it what a line leaves. An account that goes is of no line any more.
alter table server_accounts add column if not exists of_line uuid;

-- Whoever writes the wanted state, a panel of the version before among them. Named to run after
-- want_nothing_while_suspended.
create or replace function which_line_it_is() returns trigger language plpgsql as $$
begin
  new.of_line := case when new.wanted is not null then (new.wanted ->> 'line_id')::uuid
    else (select id from users
      where users.server_id = new.server_id and users.username = new.username and suspension is not null) end;
  return new;
end $$;
create or replace trigger which_line_it_is before insert or update of wanted on server_accounts
  for each row execute function which_line_it_is();

update server_accounts set of_line = (wanted ->> 'line_id')::uuid where wanted is not null;
update server_accounts set of_line = users.id from users
  where wanted is null and users.server_id = server_accounts.server_id
    and users.username = server_accounts.username and suspension is not null;
insert into server_accounts (server_id, username, wanted, operation, revision, synced_revision)
  select server_id, username, null, 'edit', 1, 1 from users where suspension is not null
  on conflict do nothing;
create index if not exists server_accounts_of_line on server_accounts (of_line);

-- The password that was delivered last proves whose an account is that may be there. A name of the operator's own is not
-- proven by it, but where the line was made there for the operator's customer: nothing was paid for it.
create or replace function keep_left_password() returns trigger language plpgsql as $$
declare
  is_renamed boolean := tg_op = 'UPDATE' and new.username <> old.username and new.server_id = old.server_id;
  is_told boolean := exists (select from cccam_servers where id = old.server_id and kind = 'oscam_webif');
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and (revision > synced_revision or is_unanswered or claimed_until is not null or is_renamed or is_told)
      and left_password is null
      and (synced_revision > 0 or on_server or is_unanswered or claimed_until is not null
        or (wanted_since <= old.created_at and not old.is_trial
          and not exists (select from credit_transfers where line_id = old.id)));
  return null;
end $$;

-- A panel of the version before deletes the row of a suspended line once nothing of it is wanted there. By that row the
-- account is found that the line leaves on an OSCam.
create or replace function keep_suspended_row() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = old.of_line and server_id = old.server_id
      and username = old.username and suspension is not null) then
    return null;
  end if;
  return old;
end $$;
create or replace trigger keep_suspended_row before delete on server_accounts
  for each row when (old.of_line is not null) execute function keep_suspended_row();
