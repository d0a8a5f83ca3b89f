-- The next version drops is_unanswered and updated_at of server_accounts, which only panels of 1.6 write now.

-- An attempt that ended without an answer keeps the end of its lease, as that of a panel that died does: the account may
-- be there. A panel of 1.6 beside says so in is_unanswered, which its next lease leaves set. An attempt that is made again
-- has another time for it; one that its server has taken has not, and whatever was said before is over.
create or replace function keep_unanswered() returns trigger language plpgsql as $$
begin
  new.claimed_until := case when new.next_try_at <> old.next_try_at then now() end;
  new.is_unanswered := false;
  return new;
end $$;
create or replace trigger keep_unanswered before update of is_unanswered, claimed_until on server_accounts
  for each row when (new.is_unanswered and new.claimed_until is null) execute function keep_unanswered();
update server_accounts set claimed_until = now(), is_unanswered = false where is_unanswered and claimed_until is null;

-- Nothing is wanted of a suspended line but its former account, and an account is of the line that it is wanted for. The
-- panel writes both itself, so that these rules are looked at only where a row says otherwise: one of a panel of 1.6 whose
-- account goes, and that of a line which is resumed.
create or replace function which_line_it_is() returns trigger language plpgsql as $$
begin
  if (new.wanted ->> 'is_former') is null and exists (select from users
      where id = (new.wanted ->> 'line_id')::uuid and suspension is not null) then
    new.wanted := null;
  end if;
  new.of_line := case when new.wanted is not null then (new.wanted ->> 'line_id')::uuid
    else (select id from users
      where users.server_id = new.server_id and users.username = new.username and suspension is not null) end;
  return new;
end $$;
drop trigger if exists which_line_it_is on server_accounts;
create or replace trigger which_line_it_is before insert on server_accounts
  for each row when (new.of_line is distinct from (new.wanted ->> 'line_id')::uuid)
  execute function which_line_it_is();
create or replace trigger which_line_it_is_now before update of wanted on server_accounts
  for each row when (old.wanted is null or new.of_line is distinct from (new.wanted ->> 'line_id')::uuid)
  execute function which_line_it_is();
drop trigger if exists want_nothing_while_suspended on server_accounts;
-- A panel of 1.6 beside looks whether the function is there. The next version drops it.
create or replace function want_nothing_while_suspended() returns trigger language plpgsql as $$ begin return new; end $$;
