-- The next version drops is_unanswered and updated_at of server_accounts, which only panels of 1.6 write now.

-- An attempt that ended without an answer keeps the end of its lease, as that of a panel that died does: the account may
-- be there. A panel of 1.6 beside says so in is_unanswered.
create or replace function keep_unanswered() returns trigger language plpgsql as $$
begin
  new.claimed_until := now();
  new.is_unanswered := false;
  return new;
end $$;
create or replace trigger keep_unanswered before update of is_unanswered, claimed_until on server_accounts
  for each row when (new.is_unanswered and new.claimed_until is null) execute function keep_unanswered();
update server_accounts set is_unanswered = is_unanswered where is_unanswered and claimed_until is null;
