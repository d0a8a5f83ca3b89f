-- Accounts are found without their accents, as lines are ------------------------------------------

alter table auth_users add column if not exists search text
  generated always as (fold(email || ' ' || username || ' ' || full_name)) stored;
drop index if exists auth_users_search;
create index auth_users_search on auth_users using gin (search gin_trgm_ops);
