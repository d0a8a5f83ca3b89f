-- API keys ---------------------------------------------------------------------------------------

-- Only the hash of a key is stored; start is its beginning, by which its owner knows it.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  name text not null,
  start text not null,
  key_hash text collate "C" not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_account_id on api_keys (account_id, created_at);

-- Streams that a key has opened end with it, as those of a session do.
create trigger announce_delete after delete on api_keys
  referencing old table as old_rows for each statement execute function announce_sessions();

-- Sessions ---------------------------------------------------------------------------------------

alter table auth_sessions add column last_used_at timestamptz not null default now();
update auth_sessions set last_used_at = updated_at;

-- Settings ---------------------------------------------------------------------------------------

insert into settings (key, value) values ('articles_public', 'false');

-- Which notifications are sent by mail too is chosen for each kind; until now it was all or none.
update account_settings
  set value = jsonb_set(value, '{mails}',
    '{"lines_expiring": false, "low_balance": false, "server_error": false, "new_account": false,
      "top_ups": false}')
  where value -> 'mails' = 'false';
update account_settings set value = value - 'mails' where value -> 'mails' = 'true';
