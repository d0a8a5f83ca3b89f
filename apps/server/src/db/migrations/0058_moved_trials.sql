-- A trial that is moved is one on either server, and one that an administrator renames is one under either
-- name, however that is done: by an edit, a job, its undo, or with all lines of a server.
alter table trials_made add column if not exists also_on uuid[] not null default '{}';

create or replace function count_changed_trial() returns trigger language plpgsql as $$
begin
  insert into trials_made as made (line_id, username, server_id, account_id, made_at)
    select line_id, normalize(new.username, NFC), new.server_id, account_id, made_at
      from trials_made where line_id = new.id order by made_at desc limit 1
    on conflict (line_id, username) do update set also_on = made.also_on || new.server_id
      where made.server_id is distinct from new.server_id and not new.server_id = any (made.also_on);
  return null;
end $$;
create or replace trigger count_changed_trial
  after update of server_id, username, is_trial on users
  for each row when (new.is_trial
    and (old.server_id, old.username, old.is_trial) is distinct from (new.server_id, new.username, new.is_trial))
  execute function count_changed_trial();

-- By name only, because a name has few trials.
drop index if exists trials_made_name;
create index trials_made_name on trials_made (username);

-- Trials that were moved before.
update trials_made set also_on = also_on || line.server_id
  from users line
  where line.id = trials_made.line_id and line.is_trial and trials_made.server_id <> line.server_id
    and not line.server_id = any (also_on)
    and trials_made.username = normalize(line.username, NFC);
