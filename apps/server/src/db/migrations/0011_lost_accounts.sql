-- A card server names the folder it keeps its accounts in: another name means that they are gone.
alter table cccam_servers
  add column instance text,
  add column next_count_at timestamptz not null default now(),
  add column repair_automatically boolean not null default false,
  add column repaired_at timestamptz;

-- What a server took and has no longer.
create index server_accounts_lost on server_accounts (server_id)
  where wanted is not null and not on_server and revision <= synced_revision;
