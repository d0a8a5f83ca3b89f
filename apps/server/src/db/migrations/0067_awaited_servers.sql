-- Card servers whose agent is awaited: the one-time key of the command that installs it, as a hash, and what the
-- agent said in its first call. The row goes when its server was reached, or some time after its key has run out.
create table if not exists awaited_servers (
  id uuid primary key,
  key_hash text collate "C" not null unique,
  account_id uuid not null references auth_users (id) on delete cascade,
  -- Set once the server was added while its agent had not been reached.
  server_id uuid unique references cccam_servers (id) on delete cascade,
  expires_at timestamptz not null,
  called_at timestamptz,
  -- Address, ports and versions, as the agent gave them.
  call jsonb,
  -- The agent's lasting password, encrypted.
  password text,
  -- What the panel found when it called back, and when.
  found jsonb,
  found_at timestamptz,
  created_at timestamptz not null default now()
);
create index if not exists awaited_servers_account_id on awaited_servers (account_id);

alter table cccam_servers add column if not exists agent_version text;

-- Pages that wait for an agent read again with the servers.
create or replace function announce_awaited_servers() returns trigger language plpgsql as $$
begin
  perform announce('cccam_servers', 'UPDATE', array_agg(coalesce(server_id, id)), '{}') from new_rows;
  return null;
end $$;
create or replace trigger announce_update after update on awaited_servers
  referencing new table as new_rows for each statement execute function announce_awaited_servers();
