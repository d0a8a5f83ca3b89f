-- What a seller keeps about the customer of a line. The price is in hundredths of its currency.
alter table users
  add column if not exists phone text check (length(phone) between 5 and 40),
  add column if not exists language text check (language in ('en', 'de', 'pl', 'pt')),
  add column if not exists price_minor integer check (price_minor >= 0),
  add column if not exists currency text check (currency ~ '^[A-Z]{3}$');

-- As before, with the phone number, which is found however it is spaced.
alter table users drop column if exists search;
alter table users add column search text
  generated always as (
    fold(username || ' ' || coalesce(name, '') || ' ' || coalesce(phone, '') || ' '
      || coalesce(company, '') || ' ' || coalesce(email, '') || ' ' || coalesce(notes, '') || ' '
      || coalesce(user_value, '') || ' ' || coalesce(nullif(live_channel, 'Info'), '') || ' '
      || coalesce(nullif(info, 'Info'), ''))
    || joined_numbers(username || E'\n' || coalesce(name, '') || E'\n' || coalesce(phone, '')
      || E'\n' || coalesce(company, '') || E'\n' || coalesce(notes, '') || E'\n'
      || coalesce(user_value, '') || E'\n' || live_channel || E'\n' || info)
  ) stored;
alter table users alter column search set statistics 1000;
create index if not exists users_search on users using gin (search gin_trgm_ops);

-- The words in which a seller writes to customers, by occasion and language; what is missing is worded by the panel.
create table if not exists account_texts (
  account_id uuid primary key references auth_users (id) on delete cascade,
  texts jsonb not null check (jsonb_typeof(texts) = 'object')
);
