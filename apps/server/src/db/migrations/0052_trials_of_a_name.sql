-- One trial of a name on a server in so many days, deleted ones too; 0 is no limit. A trial that is renamed
-- is one under either name.
alter table trials_made
  add column if not exists username text not null default '',
  add column if not exists server_id uuid;
alter table trials_made drop constraint trials_made_pkey;
alter table trials_made add primary key (line_id, username);

update trials_made set username = normalize(line.username, NFC), server_id = line.server_id
  from users line where line.id = trials_made.line_id;
insert into trials_made (line_id, account_id, made_at, username, server_id)
  select id, owner_id, created_at, normalize(username, NFC), server_id from users
    where is_trial and created_at > now() - interval '30 days'
  on conflict do nothing;
create index if not exists trials_made_name on trials_made (server_id, username);

insert into settings (key, value) values ('trial_name_days', '30') on conflict do nothing;
