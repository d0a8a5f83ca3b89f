-- Of a username a CCcam client sends the first 20 bytes, and the card server compares no more of it.
-- `convert_to` is not called immutable because it depends on the encoding of the database, which is
-- UTF-8 here.
create or replace function sent_name(username text) returns bytea
language sql immutable parallel safe as $$
  select substring(convert_to(username, 'UTF8') from 1 for 20)
$$;

-- Shorter names share nothing: only these few are looked for by what is sent of them.
create index if not exists users_sent_names on users (sent_name(username))
  where octet_length(username) >= 20;
create index if not exists server_orphans_sent_names on server_orphans (sent_name(username))
  where octet_length(username) >= 20;

-- How many they are is not to be guessed: a page of them would be looked for by passing all lines.
create statistics if not exists users_name_bytes on (octet_length(username)) from users;
