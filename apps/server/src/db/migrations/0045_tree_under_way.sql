-- A new account waits for a move of accounts that is on its way, which might be its owner's, and a move
-- waits for new accounts: read before that, what stands above the owner would be what stood above it.
create or replace function keep_account_tree() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.owner_id is not distinct from old.owner_id then
      return null;
    end if;
    -- Two moves at once could each be sound and together make a circle.
    perform pg_advisory_xact_lock(hashtext('account_tree'));
    if exists (
      select from account_tree where ancestor_id = new.id and account_id = new.owner_id
    ) then
      raise exception 'an account cannot be below itself' using errcode = 'check_violation',
        constraint = 'account_tree_no_circle';
    end if;
    delete from account_tree above
      using account_tree below
      where below.ancestor_id = new.id and above.account_id = below.account_id
        and above.ancestor_id in (
          select ancestor_id from account_tree where account_id = new.id and ancestor_id <> new.id
        );
    insert into account_tree (ancestor_id, account_id, depth)
      select above.ancestor_id, below.account_id, above.depth + below.depth + 1
      from account_tree above, account_tree below
      where above.account_id = new.owner_id and below.ancestor_id = new.id;
  else
    if new.owner_id is not null then
      perform pg_advisory_xact_lock_shared(hashtext('account_tree'));
    end if;
    insert into account_tree (ancestor_id, account_id, depth)
      select new.id, new.id, 0
      union all
      select ancestor_id, new.id, depth + 1 from account_tree where account_id = new.owner_id;
  end if;
  return null;
end $$;
