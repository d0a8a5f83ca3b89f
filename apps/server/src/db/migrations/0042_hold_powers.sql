-- What an account may do, read in the transaction of a change and held until its commit: who takes
-- some of it away first locks the same key alone. Advisory locks are fair, so that a ban gets its turn
-- however many calls the account makes; and unlike a lock of the account's row they hold off nothing
-- else that happens to it.
create or replace function powers_key(subject text) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('powers of ' || subject, 0) $$;

-- No row if there is no such account. A volatile function reads what was committed while it waited.
create or replace function hold_powers(account uuid)
  returns table (group_id text, is_admin boolean, banned boolean, permissions text[])
  language plpgsql volatile
  as $$
begin
  perform pg_advisory_xact_lock_shared(powers_key('account ' || account));
  perform pg_advisory_xact_lock_shared(powers_key('group ' || a.group_id))
    from auth_users a where a.id = account;
  return query
    select a.group_id, a.is_admin, a.banned, g.permissions
      from auth_users a join groups g on g.id = a.group_id where a.id = account;
end
$$;
