-- With the status label beside the date, active and expired lines are counted in the index alone.
drop index users_expiry_date;
create index users_expiry_date on users (expiry_date, id) include (status_label);
drop index users_owner_expiry;
create index users_owner_expiry on users (owner_id, expiry_date, id) include (status_label);

-- The few lines that are trials or have another status: a page of them must not pass by all others.
create index users_trials on users (added_date, id) where is_trial;
create index users_other_status on users (status_label, added_date, id)
  where status_label <> 'active';

-- Whether an account stands below another is one look into the index, from either side.
drop index account_tree_account_id;
create index account_tree_account_id on account_tree (account_id, ancestor_id);

-- Whether a server still has to take what is wanted. A column, because of a comparison of two
-- columns the planner knows no statistics and takes a third of all rows for waiting.
alter table server_accounts
  add column is_due boolean not null generated always as (revision > synced_revision) stored;
create index server_accounts_waiting on server_accounts (username, server_id, attempts)
  where is_due;
-- Only what waits was ever refused: taken for independent, the two would be thought to meet nowhere.
create statistics server_accounts_waiting (mcv) on is_due, attempts from server_accounts;
