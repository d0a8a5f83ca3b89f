-- Since when a card server has owed the change: updated_at moves with every attempt.
alter table server_accounts add column wanted_since timestamptz not null default now();
update server_accounts set wanted_since = updated_at where revision > synced_revision;
create index server_accounts_wanted_since on server_accounts (wanted_since)
  where revision > synced_revision;
