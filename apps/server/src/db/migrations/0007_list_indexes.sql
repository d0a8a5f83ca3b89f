-- With the status label beside the date, active and expired lines are counted in the index alone.
drop index users_expiry_date;
create index users_expiry_date on users (expiry_date, id) include (status_label);
drop index users_owner_expiry;
create index users_owner_expiry on users (owner_id, expiry_date, id) include (status_label);

-- The few lines that are trials or have another status: a page of them must not pass by all others.
create index users_trials on users (added_date, id) where is_trial;
create index users_other_status on users (status_label, added_date, id)
  where status_label <> 'active';

-- The planner guesses from a sample how many lines hold a searched word. In one of a hundred rows, a
-- word that is there by chance counts for one in a hundred: it would read all lines by date to find few.
alter table users alter column search set statistics 1000;

-- Whether an account stands below another is one look into the index, from either side.
drop index account_tree_account_id;
create index account_tree_account_id on account_tree (account_id, ancestor_id);

-- Whether a server has taken what is wanted. A column, because of a comparison of two columns the
-- planner knows no statistics and takes a third of all rows for waiting.
alter table server_accounts
  add column sync_state text not null generated always as (
    case
      when revision <= synced_revision then 'synced'
      when attempts > 0 then 'failed'
      else 'pending'
    end) stored;
create index server_accounts_waiting on server_accounts (username, server_id, sync_state)
  where sync_state <> 'synced';
