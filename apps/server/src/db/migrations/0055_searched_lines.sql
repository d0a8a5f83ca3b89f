-- Search also finds what the card server tells of a line, and numbers however they are spaced ----------

-- The numbers that are written with spaces, dots, slashes, brackets or dashes, without these; else nothing.
create or replace function joined_numbers(text) returns text
  language sql immutable strict parallel safe
  as $$
    select case when $1 ~ '\d[ \u00a0\u202f./()-]+\d' then E'\n' || regexp_replace(
      regexp_replace($1, '(\d)[ \u00a0\u202f./()-]+(?=\d)', '\1', 'g'), '[^\d\n]+', ' ', 'g')
      else '' end
  $$;

alter table users drop column search;
-- The words that every line begins with would be found in all of them.
alter table users add column search text
  generated always as (
    fold(username || ' ' || coalesce(name, '') || ' ' || coalesce(company, '') || ' '
      || coalesce(email, '') || ' ' || coalesce(notes, '') || ' ' || coalesce(user_value, '') || ' '
      || coalesce(nullif(live_channel, 'Info'), '') || ' ' || coalesce(nullif(info, 'Info'), ''))
    || joined_numbers(username || E'\n' || coalesce(name, '') || E'\n' || coalesce(company, '')
      || E'\n' || coalesce(notes, '') || E'\n' || coalesce(user_value, '') || E'\n'
      || live_channel || E'\n' || info)
  ) stored;
alter table users alter column search set statistics 1000;
create index users_search on users using gin (search gin_trgm_ops);
