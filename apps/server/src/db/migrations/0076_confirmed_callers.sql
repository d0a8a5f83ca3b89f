-- When an administrator confirmed the address that an agent called from, or it was known to be the server's.
alter table awaited_servers add column if not exists confirmed_at timestamptz;
