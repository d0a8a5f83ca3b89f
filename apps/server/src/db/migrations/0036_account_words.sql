-- Accounts are found without their accents, as lines are ------------------------------------------

create or replace function account_words(email text, username text, full_name text) returns text
  language sql immutable parallel safe
  as $$ select fold(email || ' ' || username || ' ' || full_name) $$;

create index if not exists auth_users_words
  on auth_users using gin (account_words(email, username, full_name) gin_trgm_ops);
drop index if exists auth_users_search;
