-- Names of lines are compared in normal form: an accent that is part of its letter, and one that is
-- written after it, look the same. Lines that are twins by that from before both stay as they are, as
-- their servers know them by these bytes: the first keeps the name to itself, the others are marked.
alter table users add column is_name_twin boolean not null default false;
update users set is_name_twin = true
  from (
    select id, row_number() over (
        partition by normalize(username, NFC)
        order by (username is NFC normalized) desc, created_at, id) as place
      from users
      where normalize(username, NFC) in (
        select normalize(username, NFC) from users where username is not NFC normalized)
  ) as named
  where named.id = users.id and place > 1;
create unique index users_username_normal on users (normalize(username, NFC))
  where not is_name_twin;
